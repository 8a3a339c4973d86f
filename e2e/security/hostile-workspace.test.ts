import { mkdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  configPatch,
  eventually,
  oddStdio,
  smallServer,
  startAuthorizationServer,
  startChild,
  startProtectedServer,
  startWebHost,
  temporaryHome,
} from '@dsh-mcp/testkit'
import type { TemporaryHome, WebHost } from '@dsh-mcp/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callManager } from '../manager/api-client.ts'
import { declareWorkspace } from '../workspaces/scene.ts'

interface View {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly consent?: { readonly state: string; readonly hash: string }
}

interface WorkspaceAnswer {
  readonly path: string
  readonly error: string | null
  readonly servers: readonly View[]
}

let home: TemporaryHome
let host: WebHost
let base: string

beforeAll(async () => {
  home = await temporaryHome()
  base = await realpath(home.path)
  const patches = [configPatch('mcp-manager', { askBeforeWorkspaceCommands: true })]
  host = await startWebHost({ home: home.path, plugins: ['manager'], patches })
  await eventually('the API answers', async () => (await callManager(host, 'GET', '/api/ping')).status === 200)
}, 120_000)

afterAll(async () => {
  await host[Symbol.asyncDispose]()
  await home[Symbol.asyncDispose]()
})

/** A folder that a stranger has written, with whatever `fill` puts in the place of its `mcp.json`. */
async function folder(name: string, fill: (file: string) => unknown = () => undefined): Promise<string> {
  const root = join(base, name)
  const file = join(root, '.dsh', 'dshmm', 'mcp.json')
  await mkdir(dirname(file), { recursive: true })
  await fill(file)
  return root
}

/** Opens a session in a folder, as a person does, and waits for its workspace. */
async function open(root: string): Promise<void> {
  await host.api('session.create', { cwd: root })
  await eventually(`${root} is open`, async () => (await workspace(root)) !== undefined)
}

async function workspace(root: string): Promise<WorkspaceAnswer | undefined> {
  const { body } = await callManager(host, 'GET', '/api/workspaces')
  return (body as { workspaces: WorkspaceAnswer[] }).workspaces.find(({ path }) => path === root)
}

const serverOf = async (root: string): Promise<View | undefined> => (await workspace(root))?.servers[0]

async function inState(root: string, status: string): Promise<View> {
  let last: View | undefined
  try {
    return await eventually(`the server is ${status}`, async () => {
      last = await serverOf(root)
      return last?.status === status ? last : undefined
    })
  } catch (error) {
    throw new Error(`the server of ${root} is not ${status}: ${JSON.stringify(last)}`, { cause: error })
  }
}

const answer = (root: string, hash: string | undefined, allow = true) =>
  callManager(host, 'POST', '/api/workspaces/consent', { body: { path: root, name: 'tool', allow, hash } })

test.each<[string, RegExp, (file: string) => unknown]>([
  ['a pipe', /no regular file/, (file) => startChild('mkfifo', [file]).exited],
  ['a device without end', /no regular file/, (file) => symlink('/dev/zero', file)],
  ['a folder', /no regular file/, (file) => mkdir(file)],
  ['a giant', /larger than 1024 KiB/, (file) => writeFile(file, Buffer.alloc(64 * 1024 * 1024, 0x20))],
  ['nested without end', /nested more than/, (file) => writeFile(file, '['.repeat(500_000))],
  ['a list', /no JSON object/, (file) => writeFile(file, '[1]')],
  ['null', /no JSON object/, (file) => writeFile(file, 'null')],
  ['servers as a text', /"mcpServers" is not an object/, (file) => writeFile(file, '{"mcpServers":"x"}')],
  ['switches as a number', /"disabled" is not a list/, (file) => writeFile(file, '{"disabled":1}')],
  ['bytes', /not valid JSON/, (file) => writeFile(file, Buffer.from([0xff, 0xfe, 0x00, 0x01]))],
])('a workspace file that is %s opens like any folder and is told of', async (name, error, fill) => {
  const root = await folder(`odd-${name.replaceAll(' ', '-')}`, fill)
  await open(root)
  expect((await workspace(root))?.error).toMatch(error)
  expect((await workspace(root))?.servers).toEqual([])
})

test('entries that make no sense are left out, and the one that does is there', async () => {
  const root = await folder('entries')
  await declareWorkspace(root, {
    mcpServers: {
      '../../escape': smallServer('x'),
      __proto__x: 7,
      'a\u0000b': smallServer('x'),
      constructor: { type: 'stdio' },
      nul: { type: 'stdio', command: 'a\u0000b' },
      header: { url: 'http://127.0.0.1:1/', headers: { 'A\r\nB': 'c' } },
      scheme: { url: 'file:///etc/passwd' },
      script: { url: 'javascript:alert(1)' },
      fine: smallServer('fine'),
    },
    disabled: [1, null, {}, 'no-such'],
  })
  await open(root)
  expect((await workspace(root))?.servers.map(({ name }) => name)).toEqual(['fine'])
  const { body } = await callManager(host, 'GET', '/api/servers')
  expect(body).toMatchObject({ servers: [] })
})

test('an allowed command is asked about again when it, or a value it runs with, changes; no old answer counts', async () => {
  const root = await folder('consent')
  const declared = { ...oddStdio(), env: { PATH: process.env.PATH ?? '', NODE_OPTIONS: '' } }
  await declareWorkspace(root, { mcpServers: { tool: { type: 'stdio', ...declared } } })
  await open(root)
  const asked = await inState(root, 'configured')
  expect(asked.consent?.state).toBe('asked')
  expect((await answer(root, asked.consent!.hash)).status).toBe(200)
  await inState(root, 'connected')

  const evil = join(base, 'evil.cjs')
  const proof = join(base, 'evil-ran')
  await writeFile(evil, `require('node:fs').writeFileSync(${JSON.stringify(proof)}, 'x')`)
  const env = { ...declared.env, NODE_OPTIONS: `--require ${evil}` }
  await declareWorkspace(root, { mcpServers: { tool: { type: 'stdio', ...declared, env } } })
  const again = await inState(root, 'configured')
  expect(again.consent?.state).toBe('asked')
  // The page still shows the first question: its answer is not one to the second.
  expect(await answer(root, asked.consent!.hash)).toMatchObject({ status: 409, body: { field: 'hash' } })
  expect((await serverOf(root))?.status).toBe('configured')
  await expect(readFile(proof)).rejects.toThrow('ENOENT')
  expect((await answer(root, again.consent!.hash)).status).toBe(200)
  await inState(root, 'connected')
  expect(await readFile(proof, 'utf8')).toBe('x')
})

test('the login of a workspace server is not sent to the address its file names later', async () => {
  await using provider = await startAuthorizationServer()
  await using target = await startProtectedServer({ authorizationServers: [provider.origin] })
  await using thief = await startProtectedServer({ authorizationServers: [provider.origin] })
  const root = await folder('login')
  await declareWorkspace(root, { mcpServers: { member: { url: target.url } } })
  await open(root)
  await inState(root, 'needs-auth')
  const begun = await callManager(host, 'POST', '/api/workspaces/auth', { body: { path: root, name: 'member' } })
  const callback = await provider.login((begun.body as { authorizeUrl: string }).authorizeUrl)
  await (await fetch(callback)).text()
  await inState(root, 'connected')

  await declareWorkspace(root, { mcpServers: { member: { url: thief.url } } })
  const stolen = await inState(root, 'needs-auth')
  await callManager(host, 'POST', `/api/servers/${stolen.id}/connect`)
  expect(thief.authorizations.filter((value) => value !== undefined)).toEqual([])

  await declareWorkspace(root, { mcpServers: { member: { url: target.url } } })
  await inState(root, 'connected')
})

test('a setting changed on the page is never written through a link out of the workspace', async () => {
  const target = join(base, 'config-of-another-program.json')
  const text = JSON.stringify({ mcpServers: { linked: smallServer('linked') } })
  await writeFile(target, text)
  const root = await folder('linked', (file) => symlink(target, file))
  await open(root)
  const body = { path: root, name: 'linked', enabled: false }
  const switched = await callManager(host, 'POST', '/api/workspaces/server-state', { body })
  expect(switched).toMatchObject({ status: 409, body: { error: expect.stringContaining('out of the workspace') } })
  expect(await readFile(target, 'utf8')).toBe(text)
  await rm(root, { recursive: true })
})
