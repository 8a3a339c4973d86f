import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startAuthorizationServer, startProtectedServer, temporaryHome } from '@dsh-mcp/testkit'
import type {
  AuthorizationServer,
  AuthorizationServerOptions,
  ProtectedServer,
  ProtectedServerOptions,
} from '@dsh-mcp/testkit'
import { openStateFile } from '../config/index.ts'
import type { HttpServer, OAuthRecord, StateFile } from '../config/index.ts'
import { createConnections, resolveHttp } from '../connections/index.ts'
import type { ServerConnection, ServerConnections } from '../connections/index.ts'
import { createAttemptLogs } from '../diagnostics/index.ts'
import type { AttemptLogs } from '../diagnostics/index.ts'
import { createOAuth } from './index.ts'
import type { LoginOutcome, OAuth, OAuthSettings } from './index.ts'

/** State file, connections and OAuth as the plugin wires them, for one server called `demo`. */
export interface Rig extends AsyncDisposable {
  readonly path: string
  readonly state: StateFile
  readonly logs: AttemptLogs
  readonly oauth: OAuth
  readonly connections: ServerConnections
  readonly environment: Record<string, string | undefined>
  /** Servers whose login was told to be abandoned. */
  readonly abandoned: string[]
  /** The server as declared now. */
  server(): HttpServer
  record(): OAuthRecord
  connection(): ServerConnection
  /** Begins a login and lets `browser` bring back the callback URL. */
  logIn(browser: (authorizeUrl: string) => Promise<URL>): Promise<LoginOutcome>
  begin(): Promise<URL>
  /** All lines of the attempt log, as text. */
  log(): string
}

export const rigOrigin = 'http://127.0.0.1:3080'

/** Opens a rig in a temporary home; `server` is the record in the state file, without id, name and type. */
export async function openRig(
  server: Readonly<Record<string, unknown>>,
  options: Partial<OAuthSettings> & { readonly path?: string; readonly connect?: boolean } = {},
): Promise<Rig> {
  const home = await temporaryHome()
  const path = options.path ?? join(home.path, 'mcp-manager.json')
  const id = 'Qk3vW0aZ9-x'
  if (options.path === undefined) {
    await writeFile(path, JSON.stringify({ servers: [{ id, name: 'demo', type: 'http', ...server }] }))
  }
  const environment: Record<string, string | undefined> = {}
  const logs = createAttemptLogs()
  const state = openStateFile(path, { pollMs: 0 })
  await state.reload()
  const declared = (): HttpServer => {
    const found = state.current().servers.find((candidate) => candidate.id === id)
    if (found?.type !== 'http') throw new Error(`no such server: ${state.current().problems.join('; ')}`)
    return found
  }
  const abandoned: string[] = []
  const oauth = createOAuth({
    state,
    logs,
    environment,
    endpoint: (target) => resolveHttp(target, environment, logs.of(target.id)),
    declaration: async () => {
      await state.reload()
      return declared()
    },
    onAbandoned: (serverId) => void abandoned.push(serverId),
    requestTimeoutMs: 10_000,
    ...options,
  })
  const connections = createConnections({
    logs,
    environment,
    authorize: (target) => oauth.authorize(target),
    toolCallTimeoutMs: 60_000,
  })
  if (options.connect !== false) {
    connections.start(declared())
    await connections.firstAttempts(30_000)
  }
  const rig: Rig = {
    path,
    state,
    logs,
    oauth,
    connections,
    environment,
    abandoned,
    server: declared,
    record: () => declared().oauth ?? {},
    connection() {
      const connection = connections.get(id)
      if (connection === undefined) throw new Error('not started')
      return connection
    },
    async begin() {
      return new URL((await oauth.beginAuthorization(declared(), rigOrigin)).authorizeUrl)
    },
    async logIn(browser) {
      const callback = await browser((await rig.begin()).href)
      const outcome = await oauth.completeAuthorization(callback)
      if (outcome.connect && outcome.resumedCalls === 0 && options.connect !== false) await rig.connection().reconnect()
      return outcome
    },
    log: () =>
      logs
        .of(id)
        .entries()
        .map(({ phase, status, url, detail }) => `${phase} ${status} ${url} ${detail}`)
        .join('\n'),
    async [Symbol.asyncDispose]() {
      await connections.close()
      await oauth.close()
      await state.close()
      await home[Symbol.asyncDispose]()
    },
  }
  return rig
}

/** A real provider and an MCP server that trusts it. */
export interface Scene extends AsyncDisposable {
  readonly provider: AuthorizationServer
  readonly target: ProtectedServer
}

/** Starts both; the tool `edit` needs the scope `mcp:write`. */
export async function openScene(
  options: AuthorizationServerOptions = {},
  target: ProtectedServerOptions = {},
): Promise<Scene> {
  const provider = await startAuthorizationServer(options)
  const server = await startProtectedServer({
    authorizationServers: [provider.origin],
    scopesSupported: ['mcp:read'],
    toolScopes: { edit: 'mcp:write' },
    ...target,
  })
  return {
    provider,
    target: server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
    },
  }
}

/** A clock that stands until it is moved. Timers run when it passes them. */
export function manualClock(start = Date.now()) {
  let now = start
  const timers = new Set<{ at: number; work: () => void }>()
  return {
    now: () => now,
    after(ms: number, work: () => void) {
      const timer = { at: now + ms, work }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    move(ms: number) {
      now += ms
      for (const timer of timers) {
        if (timer.at > now) continue
        timers.delete(timer)
        timer.work()
      }
    },
  }
}
