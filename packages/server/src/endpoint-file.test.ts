import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeBinary } from '@dsh-mcp/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpointFileName, loadToken, publishEndpoint, tokenFileName } from './endpoint-file.ts'

let home: string
let directory: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'dsh-mcp-endpoint-'))
  directory = join(home, 'mcp')
})

afterEach(() => rm(home, { recursive: true, force: true }))

const record = {
  url: 'http://127.0.0.1:1/mcp',
  token: 't',
  pid: 7,
  version: '1.0.0',
  startedAt: '2026-01-01T00:00:00.000Z',
}
const mode = async (path: string) => (await stat(path)).mode & 0o777
const posix = process.platform !== 'win32'

test('the record is written whole, for the owner alone, and removed again', async () => {
  const remove = publishEndpoint(directory, record)
  const path = join(directory, endpointFileName)
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ ...record, nonce: expect.any(String) })
  if (posix) expect([await mode(directory), await mode(path)]).toEqual([0o700, 0o600])
  expect(await readdir(directory)).toEqual([endpointFileName])
  remove()
  expect(await readdir(directory)).toEqual([])
  remove()
})

test('the last writer owns the file; the one before does not remove it', async () => {
  const removeFirst = publishEndpoint(directory, record)
  const removeSecond = publishEndpoint(directory, { ...record, pid: 8 })
  removeFirst()
  expect(JSON.parse(await readFile(join(directory, endpointFileName), 'utf8'))).toMatchObject({ pid: 8 })
  removeSecond()
  expect(await readdir(directory)).toEqual([])
})

test('a file that somebody else damaged or wrote is left alone', async () => {
  const path = join(directory, endpointFileName)
  for (const text of ['', '{', 'null', '{"nonce":1}']) {
    const remove = publishEndpoint(directory, record)
    await writeFile(path, text)
    remove()
    expect(await readFile(path, 'utf8')).toBe(text)
  }
})

test('a token is 256 random bits, kept for the next run, and new after its file is deleted', async () => {
  const token = loadToken(directory)
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(loadToken(directory)).toBe(token)
  expect(await readdir(directory)).toEqual([tokenFileName])
  if (posix) expect(await mode(join(directory, tokenFileName))).toBe(0o600)
  await rm(join(directory, tokenFileName))
  expect(loadToken(directory)).not.toBe(token)
})

test.each(['', 'short', `${'x'.repeat(42)}!`, 'x'.repeat(44)])('%j is no token and is replaced', async (text) => {
  loadToken(directory)
  await writeFile(join(directory, tokenFileName), text)
  const token = loadToken(directory)
  expect(token).not.toBe(text)
  expect(loadToken(directory)).toBe(token)
})

test('rights that others had are taken away', async ({ skip }) => {
  skip(!posix, 'file modes are a POSIX matter')
  const token = loadToken(directory)
  const path = join(directory, tokenFileName)
  await chmod(path, 0o644)
  await chmod(directory, 0o755)
  publishEndpoint(directory, record)
  expect(loadToken(directory)).toBe(token)
  expect([await mode(directory), await mode(path)]).toEqual([0o700, 0o600])
})

test('where nothing can be written, both say so', async () => {
  await writeFile(join(home, 'file'), '')
  await symlink(join(home, 'file'), directory)
  expect(() => loadToken(directory)).toThrow(/ENOTDIR|EEXIST/)
  expect(() => publishEndpoint(directory, record)).toThrow(/ENOTDIR|EEXIST/)
})

test('processes that start at once agree on one token', async () => {
  const source = `
    import { loadToken } from ${JSON.stringify(join(import.meta.dirname, 'endpoint-file.ts'))}
    process.stdin.once('data', () => { process.stdout.write(loadToken(${JSON.stringify(directory)})); process.exit() })
    process.stdout.write('ready ')`
  const children = Array.from({ length: 6 }, () => {
    const child = spawn(nodeBinary, ['--input-type=module', '-e', source], { stdio: ['pipe', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    return { child, text: () => text, ready: once(child.stdout, 'data'), closed: once(child, 'close') }
  })
  await Promise.all(children.map(({ ready }) => ready))
  for (const { child } of children) child.stdin.write('go')
  await Promise.all(children.map(({ closed }) => closed))
  expect(new Set(children.map(({ text }) => text()))).toEqual(new Set([`ready ${loadToken(directory)}`]))
})

test('drafts that killed processes left, which hold the token, go with the next publication; those of living ones stay', async () => {
  const gone = spawn(nodeBinary, ['-e', ''])
  await once(gone, 'exit')
  publishEndpoint(directory, record)()
  const draft = (file: string, pid: number) => `${file}.${pid}.0a1b2c3d-0000-4000-8000-000000000000.tmp`
  const left = [draft(endpointFileName, gone.pid!), draft(tokenFileName, gone.pid!)]
  const others = [draft(tokenFileName, process.pid), `${tokenFileName}.bak.tmp`]
  for (const name of [...left, ...others]) await writeFile(join(directory, name), 'token')
  publishEndpoint(directory, record)
  expect((await readdir(directory)).toSorted()).toEqual([endpointFileName, ...others].toSorted())
})
