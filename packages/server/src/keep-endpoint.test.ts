import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, nodeBinary } from '@dsh-mcp/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpointFileName } from './endpoint-file.ts'
import { keepEndpoint } from './keep-endpoint.ts'

let directory: string
let ends: (() => void)[]

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'dsh-mcp-keep-'))
  ends = []
})
afterEach(async () => {
  for (const end of ends) end()
  await rm(directory, { recursive: true, force: true })
})

const record = (port: number, pid = process.pid) => ({
  url: `http://127.0.0.1:${port}/mcp`,
  token: 't',
  pid,
  version: '1.0.0',
  startedAt: '2026-01-01T00:00:00.000Z',
})
const published = () => readFile(join(directory, endpointFileName), 'utf8')
const becomes = (port: number) =>
  eventually(`${port} is published`, async () => (await published()).includes(`:${port}/`))

test('the harness that is left takes the place of one that ended in order', async () => {
  ends.push(keepEndpoint(directory, record(1), 20))
  const second = keepEndpoint(directory, record(2), 20)
  await becomes(2)
  second()
  await becomes(1)
})

test('it takes the place of one that was killed, not of one that lives, and leaves nothing when it ends itself', async () => {
  const other = spawn(nodeBinary, ['-e', 'setInterval(() => {}, 1e6)'])
  const end = keepEndpoint(directory, record(1), 20)
  ends.push(end)
  const path = join(directory, endpointFileName)
  await writeFile(path, JSON.stringify({ ...record(2, other.pid), nonce: 'n' }))
  // Five rounds and more have looked at it.
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(await published()).toContain(':2/')
  other.kill('SIGKILL')
  await once(other, 'exit')
  await becomes(1)
  end()
  expect(await readdir(directory)).toEqual([])
})
