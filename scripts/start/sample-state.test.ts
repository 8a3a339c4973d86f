import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { StartError } from './options.ts'
import { ensureStateFile, sampleNames } from './sample-state.ts'

test('the first start writes two servers, readable by the owner alone; the second leaves the file alone', async () => {
  await using home = await temporaryHome()
  const path = join(home.path, 'mcp-manager.json')
  expect(await ensureStateFile(home.path)).toBe('created')
  const text = await readFile(path, 'utf8')
  expect((JSON.parse(text) as { servers: { name: string }[] }).servers.map((server) => server.name)).toEqual(
    sampleNames,
  )
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await ensureStateFile(home.path)).toBe('kept')
  expect(await readFile(path, 'utf8')).toBe(text)
})

test.each(['', '{"servers": [', '[]', 'null'])('a broken state file (%j) is named and not touched', async (text) => {
  await using home = await temporaryHome()
  const path = join(home.path, 'mcp-manager.json')
  await writeFile(path, text)
  await expect(ensureStateFile(home.path)).rejects.toThrow(StartError)
  expect(await readFile(path, 'utf8')).toBe(text)
})
