import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { eventually, startChild, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { setEnabled, workspaceFilePath } from './workspace-document.ts'
import { openWorkspaceFiles } from './workspace-files.ts'

async function workspace() {
  const home = await temporaryHome()
  const path = workspaceFilePath(home.path)
  await mkdir(dirname(path), { recursive: true })
  const changes: string[] = []
  const files = openWorkspaceFiles(
    () => ({}),
    (root) => changes.push(root),
  )
  const names = () => files.get(home.path)?.declaration.servers.map((server) => server.name)
  return {
    root: home.path,
    path,
    files,
    changes,
    names,
    async [Symbol.asyncDispose]() {
      files.close()
      await home[Symbol.asyncDispose]()
    },
  }
}

const declare = (...names: string[]) =>
  JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { url: 'http://127.0.0.1:1/mcp' }])) })

test('created, edited, replaced, broken and deleted files are followed', async () => {
  await using w = await workspace()
  await w.files.load(w.root)
  expect(w.names()).toEqual([])
  await writeFile(w.path, declare('a'))
  await eventually('created', () => w.names()?.[0] === 'a')
  await writeFile(`${w.path}.new`, declare('b'))
  await rename(`${w.path}.new`, w.path)
  await eventually('atomically replaced', () => w.names()?.[0] === 'b')
  await writeFile(w.path, '{"mcpServers": {')
  await eventually('error shown', () => w.files.get(w.root)?.error?.startsWith('invalid .dsh/dshmm/mcp.json'))
  expect(w.names()).toEqual(['b'])
  await writeFile(w.path, declare('c'))
  await eventually('repaired', () => w.names()?.[0] === 'c' && w.files.get(w.root)?.error === undefined)
  await rm(w.path)
  await eventually('deleted', () => w.names()?.length === 0)
  expect(w.changes.length).toBeGreaterThanOrEqual(5)
})

test('200 edits in a row end with the last one', async () => {
  await using w = await workspace()
  await w.files.load(w.root)
  for (let n = 0; n < 200; n++) await writeFile(w.path, declare(`s${n}`))
  await eventually('the last one is read', () => w.names()?.[0] === 's199')
})

test('changes of ours are locked, keep unknown keys, and never touch an invalid file', async () => {
  await using w = await workspace()
  await writeFile(w.path, '{"inputs":[1]}')
  await w.files.load(w.root)
  const edits = Array.from({ length: 20 }, (_, n) => w.files.change(w.root, (d) => setEnabled(d, `n${n}`, false)))
  await Promise.all(edits)
  const text = await readFile(w.path, 'utf8')
  expect(text.endsWith('}\n')).toBe(true)
  const value = JSON.parse(text) as { inputs: unknown; disabled: string[] }
  expect(value.inputs).toEqual([1])
  expect(value.disabled).toHaveLength(20)
  await writeFile(w.path, '{broken')
  await expect(w.files.change(w.root, () => {})).rejects.toThrow('invalid .dsh/dshmm/mcp.json')
  expect(await readFile(w.path, 'utf8')).toBe('{broken')
})

test('what is no ordinary small file is not read: a pipe, a device, a folder, a giant', async () => {
  await using w = await workspace()
  const becomes = async (refusal: RegExp, make: () => unknown): Promise<void> => {
    await rm(w.path, { recursive: true, force: true })
    await make()
    expect((await w.files.peek(w.root)).error).toMatch(refusal)
    await expect(w.files.change(w.root, () => {})).rejects.toThrow(refusal)
  }
  await becomes(/larger than 1024 KiB/, () => writeFile(w.path, declare('a').padEnd(1024 * 1024 + 1)))
  await becomes(/no regular file/, () => mkdir(w.path))
  if (process.platform === 'win32') return
  await becomes(/no regular file/, () => startChild('mkfifo', [w.path]).exited)
  await rm(w.path)
  await symlink('/dev/zero', w.path)
  expect((await w.files.peek(w.root)).error).toMatch(/no regular file/)
})

test('a link out of the workspace is read, never written through', async () => {
  await using w = await workspace()
  await using elsewhere = await temporaryHome()
  const target = join(elsewhere.path, 'mcp.json')
  await writeFile(target, declare('linked'))
  await symlink(target, w.path)
  expect((await w.files.load(w.root)).declaration.servers.map((server) => server.name)).toEqual(['linked'])
  const edit = () => w.files.change(w.root, (document) => setEnabled(document, 'linked', false))
  await expect(edit()).rejects.toThrow('out of the workspace')
  expect(await readFile(target, 'utf8')).toBe(declare('linked'))

  await rm(join(w.root, '.dsh'), { recursive: true })
  await symlink(elsewhere.path, join(w.root, '.dsh'))
  await expect(edit()).rejects.toThrow('out of the workspace')
  expect(await readdir(elsewhere.path)).toEqual(expect.not.arrayContaining(['dshmm']))
})
