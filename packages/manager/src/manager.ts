import { builtinMcpRows, connectionFence, dshHome, printable } from '@dsh-mcp/host'
import type {
  AssemblyContext,
  ExecutionContext,
  PluginContext,
  PluginLog,
  RegistryContext,
  ToolRegistry,
} from '@dsh-mcp/host'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { brokerBytes, createBroker } from './broker/index.ts'
import type { ServerState } from './broker/index.ts'
import { mountCommand } from './commands/index.ts'
import { openStateFile } from './config/index.ts'
import type { HttpServer, StateFile, StateSnapshot } from './config/index.ts'
import { createConnections, resolveHttp } from './connections/index.ts'
import type { ServerConnections } from './connections/index.ts'
import { createAttemptLogs } from './diagnostics/index.ts'
import type { AttemptLogs } from './diagnostics/index.ts'
import { createLoginPort } from './login-port.ts'
import { createOAuth } from './oauth/index.ts'
import type { ManagerConfig } from './plugin-config.ts'
import { agentLayers, offerTools } from './tools/index.ts'
import type { OfferedTools } from './tools/index.ts'
import { builtinServerView, createApi } from './web/index.ts'
import type { ManagerApi } from './web/index.ts'
import { openWorkspaces } from './workspaces/index.ts'
import type { WorkspaceAgent, Workspaces } from './workspaces/index.ts'

/** The rooms of a running manager. */
export interface Manager {
  readonly config: ManagerConfig
  readonly state: StateFile
  readonly logs: AttemptLogs
  readonly connections: ServerConnections
  readonly tools: OfferedTools
  readonly workspaces: Workspaces
  readonly api: ManagerApi
  /** Shows a new agent its servers, then waits for those in their first attempt, at most `firstConnectWaitMs`. */
  arrive(agent: WorkspaceAgent): Promise<void>
  leave(agent: WorkspaceAgent): void
  /** Stops everything: no process, no request, no tool is left. */
  close(): Promise<void>
}

/** What the plugin's context must offer beyond the common part. */
export type ManagerContext = PluginContext &
  AssemblyContext &
  ExecutionContext &
  RegistryContext & { readonly tools: ToolRegistry }

/** How long a tool call waits for a person who grants it more scopes, if its own budget does not end before. */
const stepUpWaitMs = 5 * 60_000

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function registeredWorkspaces(context: PluginContext): Promise<readonly string[]> {
  const registry = context.get('workspaceRegistry') as { list?: () => unknown } | undefined
  const listed = await registry?.list?.()
  if (!Array.isArray(listed)) return []
  return (listed as { path?: unknown }[]).map(({ path }) => path).filter((path) => typeof path === 'string')
}

/** Opens all rooms, on a host that has settled. Resolves when connecting has begun; it goes on in the background. */
export async function openManager(context: ManagerContext, config: ManagerConfig, log: PluginLog): Promise<Manager> {
  const warn = (line: string): void => log.warn(line)
  for (const problem of config.problems) warn(problem)
  const logs = createAttemptLogs()
  const state = openStateFile(join(dshHome(), 'mcp-manager.json'))
  const oauth = createOAuth({
    state,
    logs,
    environment: process.env,
    clientMetadataUrl: config.clientMetadataUrl,
    endpoint(server) {
      const { url, headers } = resolveHttp(server, process.env, logs.of(server.id))
      return { url, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'authorization')) }
    },
    declaration: (server) => declarationOf(server),
    onScopeNeeded: (id, missingScope) => connections.get(id)?.markScopeNeeded(missingScope),
    // Where there is no page nobody could grant anything.
    stepUpWaitMs: () => (context.get('webServer') === undefined ? 0 : stepUpWaitMs),
    onAbandoned(id) {
      const connection = connections.get(id)
      // One that runs was to get a second login; it goes on with the first.
      if (connection?.status.state !== 'authorizing') return
      connection.markNeedsAuth('the login was not finished in the browser: log in again')
    },
  })
  const settings = {
    environment: process.env,
    authorize: (server: HttpServer) => oauth.authorize(server),
    onToolOk: (id: string) => oauth.noteToolOk(id),
    toolCallTimeoutMs: config.toolCallTimeoutMs,
    clientVersion: manifest.version,
  }
  const connections = createConnections({ ...settings, logs })
  const tools = offerTools({
    connections,
    service: (name) => context.get(name),
    registry: context.tools,
    onRegistryChange(listener) {
      const end = context.on('tools/change', listener)
      return () => {
        if (typeof end === 'function') end()
      }
    },
    report: warn,
  })
  const layers = agentLayers(tools, (start) => {
    const end = context.effect(start, 'mcp-manager: tools of an agent')
    return () => {
      if (typeof end === 'function') end()
    }
  })
  // Where there is no page nobody could answer.
  const askBeforeCommands = (): boolean => config.askBeforeWorkspaceCommands && context.get('webServer') !== undefined
  const workspaces = openWorkspaces({
    state,
    connections,
    layers,
    environment: process.env,
    registered: () => registeredWorkspaces(context),
    askBeforeCommands,
    log: (line) => context.logger.info(printable(line)),
    forget(id) {
      oauth.forget(id)
      logs.forget(id)
    },
  })

  /** A server as its file declares it now. */
  async function declarationOf({ id, source }: HttpServer): Promise<HttpServer | undefined> {
    const declared =
      source.kind === 'global'
        ? (await state.reload()).servers.find((server) => server.id === id)
        : (await workspaces.find(id))?.server.definition
    return declared?.type === 'http' ? declared : undefined
  }

  function serversOf(agent: object | undefined): readonly ServerState[] {
    const own = agent === undefined ? [] : workspaces.connectionsOf(agent as WorkspaceAgent)
    const global = connections.list().filter(({ definition }) => definition.source.kind === 'global')
    return [...global, ...own].map(({ serverName, status }) => ({ name: serverName, state: status.state }))
  }
  const broker = createBroker({ context, registry: context.tools, tools, servers: serversOf, report: warn })

  const running = new Set<string>()
  let said = ''
  function follow(snapshot: StateSnapshot): void {
    const wanted = new Set(snapshot.servers.map(({ id }) => id))
    for (const id of running) {
      if (wanted.has(id)) continue
      running.delete(id)
      oauth.forget(id)
      void connections.stop(id).finally(() => logs.forget(id))
    }
    for (const server of snapshot.servers) {
      running.add(server.id)
      connections.start(server)
    }
    broker.switchTo(snapshot.onDemandToolInjection)
    const problems = snapshot.problems.join('\n')
    if (problems !== said) for (const problem of snapshot.problems) warn(problem)
    said = problems
  }
  const unsubscribe = state.subscribe(follow)
  await state.reload().catch((error: unknown) => warn(`the state file cannot be used: ${reasonOf(error)}`))

  const api = createApi({
    state,
    connections,
    logs,
    tools,
    workspaces,
    login: createLoginPort({ oauth, connections, publicOrigins: config.publicOrigins, warn }),
    fence: { publicOrigins: config.publicOrigins, connection: () => connectionFence(context.get('connection')) },
    tryConnect(definition) {
      const trialLogs = createAttemptLogs()
      const trial = createConnections({ ...settings, logs: trialLogs })
      const connection = trial.start(definition)
      return { connection, entries: () => trialLogs.of(definition.id).entries(), close: () => trial.close() }
    },
    builtin() {
      const names = context.tools.schemas().map((schema) => schema.name)
      return builtinMcpRows(context.get('loader')).map((row) => builtinServerView(row, names))
    },
    brokerBytes,
    askBeforeWorkspaceCommands: askBeforeCommands,
    version: manifest.version,
  })
  const rootsOf = (agent: object): readonly string[] => workspaces.rootsOf(agent as WorkspaceAgent)
  mountCommand(context, { state, connections, logs, workspaces, rootsOf }, warn)

  return {
    config,
    state,
    logs,
    connections,
    tools,
    workspaces,
    api,
    async arrive(agent) {
      await workspaces.arrive(agent)
      await connections.firstAttempts(config.firstConnectWaitMs)
    },
    leave: (agent) => workspaces.leave(agent),
    async close() {
      unsubscribe()
      api.close()
      await workspaces.close()
      broker.close()
      tools.close()
      await connections.close()
      await oauth.close()
      await state.close()
    },
  }
}
