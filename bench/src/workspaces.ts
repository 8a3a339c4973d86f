import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually, hostToolRegistry, modelRequests, smallServer, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import type { WebHost } from '@dsh-mcp/testkit'
import { alternate, calibrationRows, contextRow, goalRow, median, timed, type Row } from '../harness/index.ts'

/** 5 servers with 40 tools each, and a global one that is switched on and off in the workspace. */
const servers = Object.fromEntries(
  Array.from({ length: 5 }, (_, index) => [`s${index}`, smallServer(`s${index}`, 40)] as const),
)
const sharedTools = 40
const toolCount = 200 + sharedTools
const liveAgents = 20

async function declare(root: string): Promise<void> {
  const folder = join(root, '.dsh', 'dshmm')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: servers }))
}

async function newSession(host: WebHost, cwd: string): Promise<string> {
  return (await host.api<{ sessionId: string }>('session.create', { cwd })).sessionId
}

async function prompt(host: WebHost, sessionId: string): Promise<void> {
  await host.api('session.prompt', { sessionId, mode: 'queue', content: [{ type: 'text', text: 'say done' }] })
}

/** MCP tools in the newest request of each of the given sessions, once each has `count` requests. */
async function offered(host: WebHost, sessions: readonly string[], count: number): Promise<readonly number[]> {
  return eventually(`${count} requests of each session`, async () => {
    const requests = await modelRequests(host.home)
    const bySession = sessions.map((id) => requests.filter((request) => request.sessionId === id))
    if (bySession.some((list) => list.length < count)) return undefined
    return bySession.map((list) => list.at(-1)!.tools.filter((name) => name.startsWith('mcp__')).length)
  })
}

async function toggle(host: WebHost, path: string, enabled: boolean): Promise<void> {
  const response = await fetch(`${host.url}/mcp-manager/api/workspaces/server-state`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ path, name: 'shared', enabled }),
  })
  if (!response.ok) throw new Error(`server-state: ${response.status} ${await response.text()}`)
  await response.body?.cancel()
}

interface Registry {
  register(definition: object): () => void
}

/** What the host's registry alone takes for as many registrations as a session of the workspace needs. */
async function registrationCost(): Promise<number> {
  const registry = await hostToolRegistry<Registry>()
  const samples: number[] = []
  for (let round = 0; round < 9; round++) {
    const undo: (() => void)[] = []
    const started = performance.now()
    for (let n = 0; n < 200; n++) {
      undo.push(
        registry.register({
          name: `t${n}`,
          description: 'a tool',
          parameters: { type: 'object', properties: {} },
          output: { schema: {}, render: () => [] },
          execute: () => Promise.resolve({}),
        }),
      )
    }
    samples.push(performance.now() - started)
    for (const step of undo) step()
  }
  return median(samples)
}

/**
 * What a session costs in a workspace with 5 connected servers, against the same host without the plugin; and how long a
 * switch takes until the next request of 20 live agents obeys it. The switch is measured to the API's answer, and the
 * requests after it are looked at to show that it was in effect.
 */
export async function run(): Promise<readonly Row[]> {
  await using ours = await temporaryHome()
  await using bare = await temporaryHome()
  const root = join(await realpath(ours.path), 'project')
  const bareRoot = join(await realpath(bare.path), 'project')
  await declare(root)
  await mkdir(bareRoot)
  const shared = { id: 'shared', name: 'shared', ...smallServer('shared', sharedTools) }
  await writeFile(join(ours.path, 'mcp-manager.json'), JSON.stringify({ servers: [shared] }))
  await using host = await startWebHost({ home: ours.path, plugins: ['manager'] })
  await using bareHost = await startWebHost({ home: bare.path })

  const first = await newSession(host, root)
  await prompt(host, first)
  await eventually('all tools are offered', async () => (await offered(host, [first], 1))[0] === toolCount)
  await newSession(bareHost, bareRoot)

  const creation = await alternate(
    { ours: () => timed(() => newSession(host, root)), bare: () => timed(() => newSession(bareHost, bareRoot)) },
    15,
  )

  const sessions: string[] = []
  for (let n = 0; n < liveAgents; n++) sessions.push(await newSession(host, root))
  const times: number[] = []
  let wrong = 0
  for (let round = 1; round <= 6; round++) {
    const enabled = round % 2 === 0
    times.push(await timed(() => toggle(host, root, enabled)))
    for (const id of sessions) await prompt(host, id)
    const seen = await offered(host, sessions, round)
    wrong += seen.filter((count) => count !== (enabled ? toolCount : toolCount - sharedTools)).length
  }

  return [
    ...(await calibrationRows()),
    contextRow("200 registrations in the host's registry alone", await registrationCost(), 'ms'),
    contextRow('session without the plugin', creation.median('bare'), 'ms'),
    goalRow('session in a workspace, more than without', creation.median('ours') - creation.median('bare'), 'ms', {
      atMost: 10,
    }),
    goalRow(`switch in effect for ${liveAgents} agents`, median(times), 'ms', { atMost: 100 }),
    goalRow('requests that saw the old state', wrong, '', { atMost: 0 }),
  ]
}
