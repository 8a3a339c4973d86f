import type { ToolRegistry } from '@dsh-mcp/host'
import { eventually, hostToolRegistry, smallServer, temporaryHome } from '@dsh-mcp/testkit'
import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openStateFile } from '../config/index.ts'
import { createConnections } from '../connections/index.ts'
import { createAttemptLogs } from '../diagnostics/index.ts'
import { agentLayers, offerTools } from '../tools/index.ts'
import { deleteServer, workspaceFilePath, workspaceServerId } from './workspace-document.ts'
import { openWorkspaces } from './workspaces.ts'

async function declare(root: string, file: object): Promise<void> {
  const path = workspaceFilePath(root)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, JSON.stringify(file))
}

const agentIn = (cwd: string) => ({ id: cwd, session: { header: { cwd } } })

/** The room over a real state file, real child processes and the host's own registry. */
async function openScene(options: { ask?: boolean; environment?: Record<string, string> } = {}) {
  const home = await temporaryHome()
  const base = await realpath(home.path)
  const environment = { PATH: process.env.PATH, ...options.environment }
  const state = openStateFile(join(base, 'mcp-manager.json'))
  await state.reload()
  const connections = createConnections({
    logs: createAttemptLogs(),
    environment,
    authorize: () => {
      throw new Error('no server of these tests has a login')
    },
    toolCallTimeoutMs: 10_000,
  })
  const registry = await hostToolRegistry<ToolRegistry>()
  const tools = offerTools({ connections, registry, service: () => undefined, report: () => undefined })
  const registered: string[] = []
  const lines: string[] = []
  const forgotten: string[] = []
  const workspaces = openWorkspaces({
    state,
    connections,
    layers: agentLayers(tools, (start) => start()),
    environment,
    registered: async () => registered,
    askBeforeCommands: () => options.ask ?? false,
    log: (line) => lines.push(line),
    forget: (id) => forgotten.push(id),
  })
  const names = () => connections.list().map((connection) => connection.serverName)
  return {
    base,
    state,
    connections,
    workspaces,
    registered,
    lines,
    forgotten,
    names,
    connected: (...expected: string[]) =>
      eventually(`connected: ${expected.join()}`, () => {
        const up = connections.list().filter(({ status }) => status.state === 'connected')
        return up.length === expected.length && expected.every((name) => up.some((one) => one.serverName === name))
      }),
    async [Symbol.asyncDispose]() {
      await workspaces.close()
      tools.close()
      await connections.close()
      await state.close()
      await home[Symbol.asyncDispose]()
    },
  }
}

test('of 20 workspaces with 5 servers each only the live one is connected, until its last session goes', async () => {
  await using s = await openScene()
  for (let w = 0; w < 20; w++) {
    const servers = Array.from({ length: 5 }, (_, n) => [`s${w}_${n}`, smallServer(`s${w}_${n}`)])
    await declare(join(s.base, `w${w}`), { mcpServers: Object.fromEntries(servers) })
    s.registered.push(join(s.base, `w${w}`))
  }
  const first = agentIn(join(s.base, 'w7'))
  const second = agentIn(join(s.base, 'w7'))
  await s.workspaces.arrive(first)
  await s.workspaces.arrive(second)
  const names = ['s7_0', 's7_1', 's7_2', 's7_3', 's7_4']
  await s.connected(...names)
  expect(s.workspaces.connectionsOf(first).map(({ serverName }) => serverName)).toEqual(names)
  const listed = await s.workspaces.list()
  expect(listed).toHaveLength(20)
  expect(listed[3]!.servers.map(({ hold }) => hold)).toEqual(Array.from({ length: 5 }, () => ({ kind: 'not-loaded' })))
  s.workspaces.leave(first)
  expect(s.names()).toEqual(names)
  s.workspaces.leave(second)
  await eventually('nothing runs', () => s.names().length === 0)
})

test('an agent that leaves while its files are read leaves nothing behind', async () => {
  await using s = await openScene()
  await declare(join(s.base, 'w'), { mcpServers: { x: smallServer('x') } })
  const agent = agentIn(join(s.base, 'w'))
  const arriving = s.workspaces.arrive(agent)
  s.workspaces.leave(agent)
  await arriving
  expect(s.names()).toEqual([])
})

test('a name belongs to one server; when its holder goes, the next one connects by itself', async () => {
  await using s = await openScene()
  await s.state.update((draft) => void draft.servers.push({ id: 'g', name: 'files', ...smallServer('global') }))
  const a = join(s.base, 'a')
  const b = join(s.base, 'b')
  await declare(a, { mcpServers: { files: smallServer('a') } })
  await declare(b, { mcpServers: { files: smallServer('b') } })
  await s.workspaces.arrive(agentIn(a))
  await s.workspaces.arrive(agentIn(b))
  const holdOf = async (root: string) => (await s.workspaces.find(workspaceServerId(root, 'files')))?.server.hold
  expect(await holdOf(a)).toEqual({ kind: 'conflict', holder: 'global' })
  expect(await holdOf(b)).toEqual({ kind: 'conflict', holder: 'global' })
  await s.state.update((draft) => void (draft.servers = []))
  await eventually('the first workspace has the name', () => s.connections.list()[0]?.serverId.startsWith('ws-'))
  expect(await holdOf(a)).toBeUndefined()
  expect(await holdOf(b)).toEqual({ kind: 'conflict', holder: workspaceServerId(a, 'files') })
  await s.workspaces.change(a, (document, globalNames) => deleteServer(document, 'files', globalNames))
  expect(await holdOf(b)).toBeUndefined()
  await s.connected('files')
})

test('a command waits for a person when the option is on, and a change of it waits again', async () => {
  await using s = await openScene({ ask: true })
  const root = join(s.base, 'w')
  await declare(root, { mcpServers: { x: smallServer('x') } })
  await s.workspaces.arrive(agentIn(root))
  const id = workspaceServerId(root, 'x')
  const found = await s.workspaces.find(id)
  expect(found?.server.hold).toMatchObject({ kind: 'consent', subject: { kind: 'command' }, refused: false })
  const refusedNow = async (): Promise<unknown> => (await s.workspaces.find(id))?.server.hold
  await s.workspaces.decide(root, found!.server.subject!, false)
  expect(await refusedNow()).toMatchObject({ kind: 'consent', refused: true })
  expect(s.names()).toEqual([])
  await s.workspaces.decide(root, found!.server.subject!, true)
  await s.connected('x')
  await declare(root, { mcpServers: { x: smallServer('x', 2) } })
  await eventually('the changed command waits', async () => {
    return (await s.workspaces.find(id))?.server.hold?.kind === 'consent' && s.names().length === 0
  })
  await s.workspaces.decide(root, (await s.workspaces.find(id))!.server.subject!, true)
  await s.connected('x')
  await s.workspaces.decide(root, (await s.workspaces.find(id))!.server.subject!, false)
  await eventually('a withdrawn allowance stops it', () => s.names().length === 0)
  await eventually('and is a refusal', async () => JSON.stringify(await refusedNow()).includes('"refused":true'))
})

test("the environment's values go to a remote address only after a person allowed it", async () => {
  await using s = await openScene({ environment: { SECRET: 'do-not-send' } })
  const root = join(s.base, 'w')
  const url = 'https://collector.example/${SECRET}'
  await declare(root, { mcpServers: { x: { url, authMode: 'none' } } })
  await s.workspaces.arrive(agentIn(root))
  const found = await s.workspaces.find(workspaceServerId(root, 'x'))
  expect(found?.server.hold).toMatchObject({ kind: 'consent', subject: { kind: 'references', text: url } })
  expect(s.names()).toEqual([])
})

test('entries that cannot be used and unknown names are told once, and what a hand deletes is forgotten', async () => {
  await using s = await openScene()
  const root = join(s.base, 'w')
  const file = { mcpServers: { x: smallServer('x'), bad: { type: 'stdio' } }, disabled: ['nobody', 'x'] }
  await declare(root, file)
  await s.workspaces.arrive(agentIn(root))
  await s.workspaces.arrive({ ...agentIn(root), id: 'second' })
  expect(s.lines).toEqual([
    `workspace ${root}: 1 servers declared`,
    `workspace ${root}: server "bad": command: is missing: give the program to start`,
    `workspace ${root}: "disabled" names unknown servers, ignored: nobody`,
  ])
  expect((await s.workspaces.list())[0]?.declaration.problems).toHaveLength(1)
  expect(s.forgotten).toEqual([])
  await declare(root, { mcpServers: {} })
  await eventually('it is forgotten', () => s.forgotten.length > 0)
  expect(s.forgotten).toEqual([workspaceServerId(root, 'x')])
})

test('only known and open workspaces can be written, by whatever spelling of their path', async () => {
  await using s = await openScene()
  const root = join(s.base, 'w')
  await mkdir(root)
  expect(await s.workspaces.resolve(root)).toBeUndefined()
  s.registered.push(root)
  expect(await s.workspaces.resolve(join(root, '..', 'w'))).toBe(root)
  expect(await s.workspaces.resolve(join(s.base, 'nowhere'))).toBeUndefined()
})
