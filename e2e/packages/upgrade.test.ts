import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  addSource,
  eventually,
  nodeBinary,
  pluginFolder,
  repositoryRoot,
  smallServer,
  startAuthorizationServer,
  startProtectedServer,
  startWebHost,
  temporaryHome,
} from '@dsh-mcp/testkit'
import type { PluginName, WebHost } from '@dsh-mcp/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callManager } from '../manager/api-client.ts'
import { delegateTo } from '../server/delegate.ts'

const plugins: readonly PluginName[] = ['manager', 'server']
const pnpm = join(repositoryRoot, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs')

let folder: string
let current: string

const later = '9.9.8'

async function tarballIn(path: string): Promise<string> {
  const name = (await readdir(path)).find((file) => file.endsWith('.tgz'))
  if (name === undefined) throw new Error(`no tarball in ${path}`)
  return join(path, name)
}

/** Packs a plugin as it is, and once more as the same code under a later version. */
async function packTwice(plugin: PluginName): Promise<void> {
  const now = join(folder, 'current', plugin)
  const next = join(folder, later, plugin)
  for (const path of [now, next]) await mkdir(path, { recursive: true })
  execFileSync(nodeBinary, [pnpm, 'pack', '--pack-destination', now], { cwd: pluginFolder(plugin), stdio: 'ignore' })
  execFileSync('tar', ['-xzf', await tarballIn(now), '-C', next])
  const files = await readdir(join(next, 'package'), { recursive: true })
  for (const file of files.filter((name) => /(?:^package\.json|\.[cm]js)$/.test(name))) {
    const path = join(next, 'package', file)
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(`"${current}"`, `"${later}"`))
  }
  execFileSync('tar', ['-czf', join(next, `${plugin}.tgz`), '-C', next, 'package'])
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dsh-mcp-upgrade-'))
  const manifest = await readFile(join(repositoryRoot, 'package.json'), 'utf8')
  current = (JSON.parse(manifest) as { version: string }).version
  for (const plugin of plugins) await packTwice(plugin)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function install(home: string, version: string): Promise<void> {
  for (const plugin of plugins) await addSource(home, 'web', await tarballIn(join(folder, version, plugin)))
}

const statuses = async (host: WebHost): Promise<object> => {
  const { body } = await callManager(host, 'GET', '/api/servers')
  const { servers } = body as { servers: readonly { readonly name: string; readonly status: string }[] }
  return Object.fromEntries(servers.map(({ name, status }) => [name, status]))
}

const bothConnected = (host: WebHost): Promise<unknown> =>
  eventually('both servers are connected', async () => {
    const all = await statuses(host)
    return JSON.stringify(all) === JSON.stringify({ demo: 'connected', small: 'connected' })
  })

test('servers, a login, the token of the endpoint and sessions outlive an upgrade, and the way back', async () => {
  await using home = await temporaryHome()
  await using provider = await startAuthorizationServer()
  await using target = await startProtectedServer({ authorizationServers: [provider.origin] })
  const servers = [
    { id: 'demo', name: 'demo', type: 'http', url: target.url },
    { id: 'small', name: 'small', ...smallServer('small') },
  ]
  await writeFile(join(home.path, 'mcp-manager.json'), JSON.stringify({ servers, kept: { by: 'hand' } }))
  const token = (): Promise<string> => readFile(join(home.path, 'mcp', 'dsh-mcp-token'), 'utf8')
  let ours = ''
  let sessionId = ''

  await install(home.path, 'current')
  {
    await using host = await startWebHost({ home: home.path, plugins })
    await eventually('the server waits for a login', async () =>
      JSON.stringify(await statuses(host)).includes('needs-auth'),
    )
    const { authorizeUrl } = (await callManager(host, 'POST', '/api/servers/demo/auth')).body as {
      authorizeUrl: string
    }
    await fetch(await provider.login(authorizeUrl))
    await bothConnected(host)
    await using agent = await delegateTo(home.path)
    const started = await agent.call('dsh_start_session', { cwd: home.path, prompt: 'say written before the upgrade' })
    sessionId = started.sessionId
    await agent.call('dsh_wait_session', { sessionId, messageId: started.messageId })
    ours = await token()
  }
  const logins = provider.tokenRequests.length

  for (const version of [later, 'current']) {
    await install(home.path, version)
    await using host = await startWebHost({ home: home.path, plugins })
    await bothConnected(host)
    await using agent = await delegateTo(home.path)
    const status = await agent.call('dsh_get_status')
    expect(status).toMatchObject({ plugin: { version: version === later ? later : current } })
    expect(await agent.text('dsh_read_session', { sessionId })).toContain('written before the upgrade')
    expect(await token()).toBe(ours)
    const state = JSON.parse(await readFile(join(home.path, 'mcp-manager.json'), 'utf8')) as object
    expect(state).toMatchObject({ kept: { by: 'hand' }, servers: [{ id: 'demo' }, { id: 'small' }] })
  }
  // Nobody had to log in again.
  expect(provider.tokenRequests.slice(logins).filter(({ grant }) => grant === 'authorization_code')).toEqual([])
}, 240_000)
