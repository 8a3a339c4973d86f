import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { replaceFile } from './atomic-write.ts'

test('a write that fails leaves no copy of the content behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dsh-mcp-write-'))
  try {
    const path = join(folder, 'mcp-manager.json')
    // A folder of that name: the new file is written, and cannot take the place.
    await mkdir(path)
    await expect(replaceFile(path, 'secret')).rejects.toThrow()
    expect(await readdir(folder)).toEqual(['mcp-manager.json'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
