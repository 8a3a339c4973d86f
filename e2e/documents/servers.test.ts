import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  eventually,
  installPlugins,
  repositoryRoot,
  startAuthorizationServer,
  startEverything,
  startProtectedServer,
  startQuirkyAuthorizationServer,
  startWebHost,
  temporaryHome,
} from '@dsh-mcp/testkit'
import type { AuthorizationServer, WebHost } from '@dsh-mcp/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callManager } from '../manager/api-client.ts'
import { openSession } from '../workspaces/scene.ts'
import { pingAs, writeRows } from './profile.ts'
import { snippetsFor } from './proofs.ts'

interface ServerView {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly error: string | null
  readonly timeout?: number
}

/**
 * One harness with the servers that the documents declare. Changed in them are the addresses alone, which lead to real
 * servers of this machine; `npx` finds the packages in a `node_modules` above and loads nothing.
 */
const opened = new AsyncDisposableStack()
let host: WebHost
let provider: AuthorizationServer
let project: string

const json = (document: string): string => snippetsFor('servers', document)[0]!.text

beforeAll(async () => {
  const home = opened.use(await temporaryHome())
  const folder = join(await realpath(home.path), 'user')
  project = join(folder, 'project')
  await mkdir(join(folder, 'notes'), { recursive: true })
  await mkdir(join(project, '.dsh', 'dshmm'), { recursive: true })
  await symlink(join(repositoryRoot, 'e2e', 'node_modules'), join(folder, 'node_modules'))
  const peer = opened.use(await startEverything())
  provider = opened.use(await startAuthorizationServer())
  const tracker = opened.use(
    await startProtectedServer({ authorizationServers: [provider.origin], challengeScope: 'mcp:read' }),
  )
  const robots = opened.use(
    await startQuirkyAuthorizationServer({ clients: { robot: 'robot-secret' }, expiresIn: 3600 }),
  )
  const jobs = opened.use(
    await startProtectedServer({
      authorizationServers: [robots.issuer],
      async verify(token) {
        const scopes = robots.scopesOf(token)
        return scopes && { scopes }
      },
    }),
  )
  const local = (text: string): string =>
    text
      .replace('https://mcp.example.com/mcp', tracker.url)
      .replace('https://mcp.example/mcp', jobs.url)
      .replace('http://127.0.0.1:9316/mcp', peer.url)
      .replace('http://localhost:8090/', peer.url)
  const { servers } = JSON.parse(local(json('docs/servers.md'))) as { servers: object[] }
  const job: object = JSON.parse(local(json('docs/oauth.md')))
  const github = { name: 'github', type: 'http', url: peer.url, authMode: 'none' }
  await writeFile(join(home.path, 'mcp-manager.json'), JSON.stringify({ servers: [...servers, job, github] }))
  await writeFile(join(project, '.dsh', 'dshmm', 'mcp.json'), local(json('docs/workspaces.md')))
  const env = { HOME: folder, JOBS_SECRET: 'robot-secret', UNITY_MCP_TOKEN: 'a-token' }
  await installPlugins(home.path, 'web', ['manager'])
  await writeRows(home.path, 'docs/servers.md', 'docs/oauth.md')
  host = opened.use(await startWebHost({ home: home.path, cwd: folder, env }))
}, 120_000)
afterAll(() => opened.disposeAsync())

/** What the page shows, once each of the named servers has the status that is expected of it. */
async function settled(wanted: Readonly<Record<string, string>>): Promise<readonly ServerView[]> {
  return eventually('the servers of the documents', async () => {
    const { servers } = (await callManager(host, 'GET', '/api/servers')).body as { servers: ServerView[] }
    const { workspaces } = (await callManager(host, 'GET', '/api/workspaces')).body as {
      workspaces: { servers: ServerView[] }[]
    }
    const all = [...servers, ...workspaces.flatMap((workspace) => workspace.servers)]
    const seen = Object.keys(wanted).map((name) => all.findLast((server) => server.name === name))
    if (seen.every((server) => server?.status === wanted[server?.name ?? ''])) return all
    throw new Error(JSON.stringify(seen.map((server) => [server?.name, server?.status, server?.error])))
  })
}

test('docs/servers.md and docs/oauth.md: the harness takes their rows, the last of which names an origin', async () => {
  expect(await pingAs(host.port, 'dsh.example')).toBe(200)
  expect(await pingAs(host.port, 'other.example')).toBe(403)
  expect(host.child.stderr()).not.toContain('config.')
})

test('docs/servers.md and docs/oauth.md: each server is as the documents say', async () => {
  const servers = await settled({ files: 'connected', tracker: 'needs-auth', local: 'connected', jobs: 'connected' })
  expect(servers.find(({ name }) => name === 'local')?.timeout).toBe(600_000)
})

test('docs/workspaces.md: its servers are there for its sessions, and the disabled one is not', async () => {
  // The global `local` would take the name from the workspace's.
  const { servers } = (await callManager(host, 'GET', '/api/servers')).body as { servers: ServerView[] }
  await callManager(host, 'DELETE', `/api/servers/${servers.find(({ name }) => name === 'local')!.id}`)
  const session = await openSession(host, project)
  await settled({ filesystem: 'connected', unity: 'connected', local: 'connected', github: 'connected' })
  const { offered } = await session.turn('call mcp__filesystem__list_allowed_directories {}')
  const prefixes = new Set(offered.map((name) => name.split('__')[1]))
  expect([...prefixes].toSorted()).toEqual(['files', 'filesystem', 'jobs', 'local', 'unity'])
})

interface Step {
  readonly phase: string
  readonly status: number
  readonly url: string
  readonly detail: string
}

/** The steps a text tells of, one a line. */
function stepsIn(text: string): readonly Step[] {
  return text.split('\n').map((line) => {
    const [, phase = '', status, url = '', detail = ''] = /^(\S+) +(\d+)(?: (https:\S+))?(?: +(.+))?$/.exec(line) ?? []
    return { phase, status: Number(status), url, detail }
  })
}

/** A step without what every server names as it likes: origins, endpoints, scopes. */
function shape({ phase, status, url, detail }: Step): readonly unknown[] {
  const place = /\/\.well-known\/.*/.exec(url)?.[0] ?? url !== ''
  return [phase, status, place, detail.replace(/(scope from challenge): .*/, '$1')]
}

test('docs/oauth.md: a login leaves the log that it shows', async () => {
  const [snippet] = snippetsFor('the log of a login')
  const steps = stepsIn(snippet!.text)
  const { servers } = (await callManager(host, 'GET', '/api/servers')).body as { servers: ServerView[] }
  const { id } = servers.find(({ name }) => name === 'tracker')!
  // As the page at the loopback address asks, which keeps its own callback beside the one public origin.
  const headers = { origin: host.url }
  const begun = await callManager(host, 'POST', `/api/servers/${id}/auth`, { headers })
  const { authorizeUrl } = begun.body as { authorizeUrl: string }
  await (await fetch(await provider.login(authorizeUrl))).text()
  await settled({ tracker: 'connected' })
  const { logs } = (await callManager(host, 'GET', `/api/servers/${id}/logs`)).body as { logs: Step[] }
  const phases = new Set(steps.map(({ phase }) => phase))
  const written = logs.filter(
    ({ phase, detail }) => phases.has(phase) && !detail.startsWith('the provider did not grant'),
  )
  expect(written.map(shape)).toEqual(steps.map(shape))
})
