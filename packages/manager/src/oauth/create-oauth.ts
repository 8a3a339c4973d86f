import type { Authorization } from '../connections/index.ts'
import type { HttpServer } from '../config/index.ts'
import { OAuthError } from './errors.ts'
import type { OAuthErrorCode } from './errors.ts'
import { serverFlow } from './flow.ts'
import type { FlowSettings, IssuerMemory, ServerFlow } from './flow.ts'
import { guardedSend, systemResolve } from './guarded-fetch.ts'
import type { OAuthHealth } from './health.ts'
import { endLogin } from './log-out.ts'
import type { LogOutOutcome } from './log-out.ts'
import { systemClock } from './clock.ts'
import { finishLogin } from './finish-login.ts'
import { prepareLogin } from './prepare-login.ts'
import { machineTokens } from './machine-tokens.ts'
import { pendingLogins } from './pending-logins.ts'
import { readRecord } from './record.ts'
import type { LoginResult } from './result-page.ts'
import { serverAuthorization } from './server-authorization.ts'
import type { ServerAuthorization } from './server-authorization.ts'
import { tokenKeeper } from './token-keeper.ts'
import type { TokenKeeper } from './token-keeper.ts'
import type { TokenSource } from './token-source.ts'

/** What {@link createOAuth} needs; `clock`, `send` and `resolve` are seams and have the system's as default. */
export interface OAuthSettings
  extends Omit<FlowSettings, 'clock' | 'send' | 'resolve'>, Partial<Pick<FlowSettings, 'clock' | 'send' | 'resolve'>> {
  /** Reads a server's declaration afresh (state file, or its workspace's file); nothing when it is gone. */
  readonly declaration: (server: HttpServer) => Promise<HttpServer | undefined>
  /** The browser of a login did not come back in ten minutes, and no other login of this server is open. */
  readonly onAbandoned?: (serverId: string) => void
  /** A tool call waits for a login that grants `missingScope`; with nothing: none waits any more. */
  readonly onScopeNeeded?: (serverId: string, missingScope: string | undefined) => void
  /** How long such a call waits, in milliseconds; default 0: it fails at once and says why. */
  readonly stepUpWaitMs?: () => number
}

/** How a login ended, for the result page and for the connection. */
export interface LoginOutcome {
  readonly result: LoginResult
  /** The server whose login it was; absent for an unknown `state`. */
  readonly serverId?: string
  /** Connect now: tokens are there. Absent calls that were waiting have gone on by themselves. */
  readonly connect: boolean
  /** Tool calls that waited for this login and have been let go on; their connection must not be dropped. */
  readonly resumedCalls: number
}

/** OAuth for all servers of a plugin instance. */
export interface OAuth {
  /** Credentials of one server, for its transport. The same object as long as the declaration stays. */
  authorize(server: HttpServer): Authorization
  /**
   * Starts a login. `origin` is where the browser returns to ({@link callbackOrigin}).
   * @throws {OAuthError} what failed, at which stage, and what to do.
   */
  beginAuthorization(server: HttpServer, origin: string): Promise<{ authorizeUrl: string }>
  /** Finishes the login the callback URL belongs to; bound to its `state` alone. Never rejects. */
  completeAuthorization(callback: URL): Promise<LoginOutcome>
  /** Removes the login of a server and revokes it where the provider can. */
  logOut(server: HttpServer): Promise<LogOutOutcome>
  health(server: HttpServer): OAuthHealth
  /** A tool call of this server succeeded now. */
  noteToolOk(serverId: string): void
  /** Drops what is kept in memory of a deleted server. */
  forget(serverId: string): void
  /** Ends open logins and waits for refreshes under way, so that no rotated token is lost. */
  close(): Promise<void>
}

interface Entry {
  readonly flow: ServerFlow
  readonly tokens: TokenSource
  /** Present for servers a person logs in to. */
  readonly keeper: TokenKeeper | undefined
  readonly authorization: ServerAuthorization
}

function sameDeclaration(a: HttpServer, b: HttpServer): boolean {
  const bare = (server: HttpServer) => ({ ...server, oauth: undefined, raw: { ...server.raw, oauth: undefined } })
  return JSON.stringify(bare(a)) === JSON.stringify(bare(b))
}

/** Builds the OAuth part of a plugin instance. */
export function createOAuth(options: OAuthSettings): OAuth {
  const settings: FlowSettings = {
    ...options,
    clock: options.clock ?? systemClock,
    send: options.send ?? guardedSend({ environment: options.environment, resolve: options.resolve }),
    resolve: options.resolve ?? systemResolve,
  }
  const { clock } = settings
  const memory: IssuerMemory = new Map()
  const entries = new Map<string, Entry>()
  const toolOk = new Map<string, number>()
  /** Clients of logins whose browser has not come back. */
  const unreturned = new Map<string, string>()
  const registeredHere = new Set<string>()
  const pending = pendingLogins(clock, (serverId) => options.onAbandoned?.(serverId))
  const stepUp = {
    waitMs: options.stepUpWaitMs ?? (() => 0),
    onNeeded: (serverId: string, missing: string | undefined) => options.onScopeNeeded?.(serverId, missing),
  }

  function entryOf(server: HttpServer): Entry {
    const known = entries.get(server.id)
    if (known !== undefined && sameDeclaration(known.flow.server, server)) return known
    const flow = serverFlow(settings, memory, server)
    const byLogin = flow.declaration.grant === 'authorization_code'
    const keeper = byLogin ? tokenKeeper(flow, settings) : undefined
    const tokens = keeper ?? machineTokens(flow, settings)
    const entry = { flow, tokens, keeper, authorization: serverAuthorization(flow, tokens, stepUp) }
    entries.set(server.id, entry)
    return entry
  }

  function failed(code: OAuthErrorCode, detail?: string, serverId?: string, serverName?: string): LoginOutcome {
    return { result: { ok: false, code, detail, serverName }, serverId, connect: false, resumedCalls: 0 }
  }

  return {
    authorize: (server) => entryOf(server).authorization,

    async beginAuthorization(given, origin) {
      const server = await options.declaration(given)
      if (server === undefined)
        throw new OAuthError('server-gone', 'authorize', `server "${given.name}" does not exist any more`)
      const { flow, keeper, authorization } = entryOf(server)
      if (keeper === undefined) {
        throw new OAuthError(
          'no-login-needed',
          'authorize',
          `server "${server.name}" uses client credentials: nobody logs in; it connects by itself`,
        )
      }
      const away = unreturned.get(server.id)
      const staleClient =
        away !== undefined && !registeredHere.has(away) && keeper.held() === undefined ? away : undefined
      try {
        const start = { origin, challenge: authorization.lastChallenge, staleClient }
        const { state, authorizeUrl, login } = await prepareLogin(flow, settings, start)
        const { client } = login
        if (client.kind === 'registered') {
          const stored = readRecord(server.oauth).clientId
          if (client.clientId !== stored) registeredHere.add(client.clientId)
          unreturned.set(server.id, client.clientId)
        }
        pending.add(state, login)
        return { authorizeUrl: authorizeUrl.href }
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        flow.log.record({ phase: 'authorize', detail: `no login started: ${message}` })
        throw error
      }
    },

    async completeAuthorization(callback) {
      const parameters = callback.searchParams
      const taken = pending.take(parameters.get('state') ?? '')
      if (taken.found === 'none') return failed('state-unknown')
      if (taken.found === 'expired') return failed('state-expired', undefined, taken.serverId)
      const { login } = taken
      const { server } = login
      unreturned.delete(server.id)
      try {
        const declared = await options.declaration(server)
        if (declared === undefined) return failed('server-gone', undefined, server.id, server.name)
        const entry = entryOf(declared)
        const finished = await finishLogin(entry.flow, settings, login, parameters)
        entry.keeper?.reset()
        if (finished.unsaved !== undefined) entry.keeper?.holdUnsaved(finished.tokens)
        const resumedCalls = entry.authorization.waiting
        entry.authorization.loggedIn()
        const result: LoginResult =
          finished.unsaved === undefined
            ? { ok: true, serverName: server.name }
            : { ok: false, code: 'not-saved', serverName: server.name }
        return { result, serverId: server.id, connect: true, resumedCalls }
      } catch (error) {
        const log = settings.logs.of(server.id)
        const detail = log.redact(error instanceof Error ? error.message : String(error))
        const code = error instanceof OAuthError ? error.code : 'provider-unavailable'
        return failed(code, code === 'issuer-response-mismatch' ? undefined : detail, server.id, server.name)
      }
    },

    async logOut(server) {
      const { flow, keeper } = entryOf(server)
      pending.drop(server.id)
      const outcome = await endLogin(flow, settings)
      keeper?.reset()
      return outcome
    },

    health(server) {
      const { tokens, keeper, flow } = entryOf(server)
      const record = readRecord(flow.store.current())
      return {
        expiresAt: tokens.held()?.expires_at ?? null,
        needsReauth: keeper?.ended() !== undefined || keeper?.last.error === 'not-saved',
        lastRefreshAt: keeper?.last.at ?? record.lastRefreshAt ?? null,
        lastRefreshError: keeper?.ended()?.code ?? keeper?.last.error ?? null,
        lastToolOkAt: toolOk.get(server.id) ?? null,
      }
    },

    noteToolOk: (serverId) => void toolOk.set(serverId, clock.now()),

    forget(serverId) {
      pending.drop(serverId)
      entries.delete(serverId)
      toolOk.delete(serverId)
      unreturned.delete(serverId)
    },

    async close() {
      pending.close()
      await Promise.all([...entries.values()].map(async ({ keeper }) => keeper?.settled()))
    },
  }
}
