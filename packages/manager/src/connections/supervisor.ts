import type { ServerDefinition } from '../config/index.ts'
import type { AttemptLog } from '../diagnostics/index.ts'
import type { Authorization } from './authorization.ts'
import { retryDelay } from './backoff.ts'
import { isOutage, readCallError } from './call-errors.ts'
import { ConnectionError } from './connection.ts'
import type {
  CallToolOptions,
  CallToolResult,
  ConnectionEvent,
  ConnectionStatus,
  QuarantinedTool,
  RemoteTool,
  ServerConnection,
} from './connection.ts'
import { AuthorizationNeeded, describeFailure, findCause, SessionExpired } from './failures.ts'
import { keepUnchanged } from './same-json.ts'
import { requestTimeoutMs } from './session.ts'
import type { Session } from './session.ts'

/** A connection that stood this long was a good one: when it breaks, it is opened again at once. */
const goodAfterMs = 3_000
const longestReason = 300
/** A connection by single requests shows its end only when one is made: after this much silence one is, in milliseconds. */
const silenceMs = 120_000
/** How long a doubtful connection gets to prove that it still works, in milliseconds. */
const verifyMs = 10_000

/** What a supervisor needs. */
export interface SupervisorParts {
  readonly log: AttemptLog
  readonly toolCallTimeoutMs: number
  readonly authorization: (server: ServerDefinition) => Authorization
  /** Connects; the signal ends the attempt. */
  readonly open: (server: ServerDefinition, authorization: Authorization, signal: AbortSignal) => Promise<Session>
  /** Told of each call that succeeded. */
  readonly onToolOk: () => void
  /** Forgets what was remembered of the server's era. */
  readonly forgetEra: (server: ServerDefinition) => void
}

type Listing = Awaited<ReturnType<Session['list']>>

const noTools: readonly RemoteTool[] = []

/**
 * Keeps one server connected. Each attempt has its own abort controller; whatever an older attempt still brings is dropped,
 * so nothing late can register tools or clear a newer connection.
 */
export class Supervisor implements ServerConnection {
  readonly #parts: SupervisorParts
  readonly #listeners = new Set<(event: ConnectionEvent) => void>()
  #definition: ServerDefinition
  #authorization: Authorization
  #status: ConnectionStatus = { state: 'disconnected' }
  #tools = noTools
  #quarantined: readonly QuarantinedTool[] = []
  #session: Session | undefined
  #attempt: AbortController | undefined
  #retry: NodeJS.Timeout | undefined
  #idle: NodeJS.Timeout | undefined
  #failures = 0
  #attempting: Promise<void> = Promise.resolve()
  #closing: Promise<void> = Promise.resolve()
  #renewal: Promise<void> | undefined
  #listing: Promise<void> | undefined
  #listAgain = false
  #endFirst: () => void = () => undefined
  #stopped = false
  #lastEnd: string | undefined
  readonly firstAttempt: Promise<void>

  constructor(definition: ServerDefinition, parts: SupervisorParts) {
    this.#definition = definition
    this.#parts = parts
    this.#authorization = parts.authorization(definition)
    this.firstAttempt = new Promise((resolve) => {
      this.#endFirst = resolve
    })
    void this.#begin()
  }

  get serverId(): string {
    return this.#definition.id
  }
  get serverName(): string {
    return this.#definition.name
  }
  get definition(): ServerDefinition {
    return this.#definition
  }
  get status(): ConnectionStatus {
    return this.#status
  }
  get tools(): readonly RemoteTool[] {
    return this.#tools
  }
  get quarantined(): readonly QuarantinedTool[] {
    return this.#quarantined
  }
  get instructions(): string | undefined {
    return this.#session?.instructions
  }
  get serverTitle(): string | undefined {
    return this.#session?.serverTitle
  }

  subscribe(listener: (event: ConnectionEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Takes a new definition; reconnects unless it differs only in the OAuth record and the switches of single tools. */
  replace(definition: ServerDefinition): void {
    const before = this.#definition
    this.#definition = definition
    if (connectionKey(definition) === connectionKey(before)) {
      const switched = JSON.stringify(definition.raw.disabledTools) !== JSON.stringify(before.raw.disabledTools)
      if (switched) this.#tell({ kind: 'status' })
      return
    }
    this.#authorization = this.#parts.authorization(definition)
    this.#failures = 0
    this.#drop()
    void this.#begin()
  }

  async reconnect(): Promise<ConnectionStatus> {
    if (this.#stopped || !this.#definition.enabled) return this.#status
    this.#authorization = this.#parts.authorization(this.#definition)
    this.#failures = 0
    this.#parts.forgetEra(this.#definition)
    this.#drop()
    const done = this.#begin()
    await done
    return this.#status
  }

  markAuthorizing(): void {
    if (this.#status.state === 'connected' || this.#stopped) return
    this.#cancelAttempts()
    this.#set({ state: 'authorizing' })
  }

  markNeedsAuth(reason: string, missingScope?: string): void {
    if (this.#stopped) return
    this.#drop()
    this.#set(needsAuth(this.#parts.log.redact(reason), missingScope))
  }

  markScopeNeeded(missingScope: string | undefined): void {
    if (this.#status.state !== 'connected') return
    const { missingScope: _, ...status } = this.#status
    this.#set(missingScope === undefined ? status : { ...status, missingScope })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#drop()
    this.#endFirst()
    this.#set({ state: 'disconnected' })
    await this.#closing
    this.#listeners.clear()
  }

  async callTool(
    rawName: string,
    args: Readonly<Record<string, unknown>>,
    options: CallToolOptions = {},
  ): Promise<CallToolResult> {
    const timeoutMs = options.timeoutMs ?? this.#definition.timeout ?? this.#parts.toolCallTimeoutMs
    const { signal } = options
    for (let repeated = false; ; repeated = true) {
      await this.#renewal
      const session = this.#session
      if (session === undefined) throw this.#notConnected(rawName)
      try {
        const result = await session.call(rawName, args, { timeoutMs, ...(signal !== undefined && { signal }) })
        this.#parts.onToolOk()
        this.#idle?.refresh()
        return result
      } catch (error) {
        if (!repeated && findCause(error, SessionExpired) !== undefined) {
          this.#renew(session)
          continue
        }
        const failure = await readCallError(error, {
          server: this.serverName,
          tool: rawName,
          timeoutMs,
          signal,
          ended: this.#lastEnd,
          redact: (text) => this.#parts.log.redact(text),
        })
        if (failure.code !== 'aborted') this.#parts.log.record({ phase: 'tools/call', detail: failure.message })
        this.#judge(session, failure, error)
        throw failure
      }
    }
  }

  /** What a failed call says about the connection as a whole. */
  #judge(session: Session, failure: ConnectionError, error: unknown): void {
    if (session !== this.#session) return
    const needed = findCause(error, AuthorizationNeeded)
    if (needed !== undefined) {
      this.markNeedsAuth(needed.message, needed.missingScope)
    } else if (failure.code === 'transport' && isOutage(error)) {
      void this.#verify(session)
    }
  }

  /** Asks the server for a sign of life; an outage ends the connection, anything else it says is life. */
  async #verify(session: Session): Promise<void> {
    try {
      await session.check(AbortSignal.timeout(verifyMs))
    } catch (error) {
      if (session !== this.#session || this.#renewal !== undefined) return
      const needed = findCause(error, AuthorizationNeeded)
      if (needed !== undefined) this.markNeedsAuth(needed.message, needed.missingScope)
      else if (findCause(error, SessionExpired) !== undefined) this.#renew(session)
      else if (isOutage(error)) this.#lost(session, describeFailure(error))
    }
    if (session === this.#session) this.#idle?.refresh()
  }

  #notConnected(tool: string): ConnectionError {
    const { state } = this.#status
    const why = 'reason' in this.#status ? `: ${this.#status.reason}` : ''
    const code = state === 'needs-auth' ? 'needs-auth' : 'not-connected'
    return new ConnectionError(
      code,
      `tool "${tool}": MCP server "${this.serverName}" is not connected (${state}${why})`,
    )
  }

  #set(status: ConnectionStatus): void {
    this.#status = status
    this.#tell({ kind: 'status' })
  }

  #tell(event: ConnectionEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  #setListing(listing: Listing): void {
    const tools = keepUnchanged(this.#tools, listing.tools)
    const quarantined = keepUnchanged(this.#quarantined, listing.quarantined)
    if (tools === this.#tools && quarantined === this.#quarantined) return
    this.#tools = tools
    this.#quarantined = quarantined
    this.#tell({ kind: 'tools' })
  }

  #cancelAttempts(): void {
    clearTimeout(this.#retry)
    this.#retry = undefined
    this.#attempt?.abort(new Error('superseded'))
    this.#attempt = undefined
    this.#waitFor(this.#attempting)
  }

  /** Ends whatever is there. The next attempt waits until it has really ended. */
  #drop(): void {
    this.#cancelAttempts()
    const session = this.#session
    clearTimeout(this.#idle)
    this.#session = undefined
    this.#renewal = undefined
    if (session !== undefined) this.#close(session)
    this.#setListing({ tools: noTools, quarantined: [] })
  }

  #close(session: Session): void {
    session.onClosed = undefined
    session.onToolsChanged = undefined
    this.#waitFor(session.close())
  }

  /** Holds back the next attempt, and the end of stopping, until `end` has settled. */
  #waitFor(end: Promise<void>): void {
    this.#closing = Promise.allSettled([this.#closing, end]).then(() => undefined)
  }

  /** Starts an attempt, if one makes sense. Resolves when it has ended. */
  #begin(): Promise<void> {
    if (this.#stopped) return Promise.resolve()
    if (!this.#definition.enabled) {
      this.#set({ state: 'disabled' })
      this.#endFirst()
      return Promise.resolve()
    }
    const missing = this.#authorization.missing?.()
    if (missing !== undefined) {
      this.#set(needsAuth(missing))
      this.#endFirst()
      return Promise.resolve()
    }
    const attempt = new AbortController()
    this.#attempt = attempt
    this.#set({ state: 'connecting' })
    const connecting = this.#connect(attempt.signal, this.#closing)
    this.#attempting = connecting
    return connecting
      .catch((error: unknown) => this.#failed(error, attempt.signal))
      .finally(() => {
        if (this.#attempt === attempt || this.#stopped) this.#endFirst()
      })
  }

  async #connect(signal: AbortSignal, previous: Promise<void>): Promise<void> {
    await previous
    signal.throwIfAborted()
    const session = await this.#parts.open(this.#definition, this.#authorization, signal)
    let listing: Listing
    try {
      signal.throwIfAborted()
      listing = await session.list(AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]))
      signal.throwIfAborted()
    } catch (error) {
      this.#close(session)
      throw new Error(`tools/list: ${describeFailure(error)}`, { cause: error })
    }
    this.#adopt(session, listing)
  }

  #adopt(session: Session, listing: Listing): void {
    this.#session = session
    clearTimeout(this.#idle)
    if (session.transport === 'streamable-http') {
      this.#idle = setTimeout(() => void this.#verify(session), silenceMs)
      this.#idle.unref()
    }
    this.#failures = 0
    this.#lastEnd = undefined
    session.onClosed = () => this.#lost(session)
    session.onToolsChanged = () => this.#relist(session)
    const { transport, era, protocolVersion, reason } = session
    const detail = `${listing.tools.length} tools over ${transport}, ${protocolVersion} (${era}: ${reason})`
    const aside = listing.quarantined.map(({ name, reason: why }) => `${name}: ${why}`).join('; ')
    this.#parts.log.record({ phase: 'tools/list', detail: aside === '' ? detail : `${detail}; put aside: ${aside}` })
    this.#setListing(listing)
    const toolCount = listing.tools.length
    this.#set({ state: 'connected', transport, era, protocolVersion, reason, toolCount, since: Date.now() })
  }

  #failed(error: unknown, signal: AbortSignal): void {
    if (signal.aborted || this.#stopped) return
    const needed = findCause(error, AuthorizationNeeded)
    if (needed !== undefined) {
      this.#set(needsAuth(this.#parts.log.redact(needed.message), needed.missingScope))
      return
    }
    this.#parts.forgetEra(this.#definition)
    this.#scheduleRetry(describeFailure(error))
  }

  #scheduleRetry(reason: string): void {
    this.#failures++
    const delay = retryDelay(this.#failures)
    this.#retry = setTimeout(() => void this.#begin(), delay)
    this.#retry.unref()
    const text = this.#parts.log.redact(reason)
    const shown = text.length <= longestReason ? text : `${text.slice(0, longestReason - 1)}…`
    this.#set({ state: 'error', reason: shown, retryAt: Date.now() + delay })
  }

  /** The connection broke by itself. */
  #lost(session: Session, why?: string): void {
    if (session !== this.#session || this.#stopped) return
    const stood = this.#status.state === 'connected' ? Date.now() - this.#status.since : 0
    const reason =
      why ?? (session.transport === 'http-sse' ? 'SSE stream closed' : session.ending) ?? 'the connection was closed'
    this.#lastEnd = reason
    this.#parts.log.record({ phase: 'session', detail: reason })
    this.#drop()
    if (session.transport === 'http-sse' && stood >= goodAfterMs) void this.#begin()
    else this.#scheduleRetry(reason)
  }

  /** The server forgot our session: opens another in its place; callers wait for it. */
  #renew(old: Session): void {
    if (old !== this.#session || this.#renewal !== undefined) return
    this.#parts.log.record({ phase: 'session', detail: 'the session had expired at the server; initialising again' })
    const attempt = new AbortController()
    this.#attempt = attempt
    old.onClosed = undefined
    old.onToolsChanged = undefined
    const connecting = this.#connect(attempt.signal, this.#closing)
    this.#attempting = connecting
    const renewal = connecting
      .then(() => this.#close(old))
      .catch((error: unknown) => {
        if (attempt.signal.aborted) return
        this.#drop()
        this.#failed(error, new AbortController().signal)
      })
      .finally(() => {
        if (this.#renewal === renewal) this.#renewal = undefined
      })
    this.#renewal = renewal
  }

  /** Lists again: at most one under way and one to follow, however many notifications come. */
  #relist(session: Session): void {
    if (this.#listing !== undefined) {
      this.#listAgain = true
      return
    }
    this.#listing = this.#refresh(session).finally(() => {
      this.#listing = undefined
      if (!this.#listAgain) return
      this.#listAgain = false
      if (this.#session !== undefined) this.#relist(this.#session)
    })
  }

  async #refresh(session: Session): Promise<void> {
    try {
      const listing = await session.list(AbortSignal.timeout(requestTimeoutMs))
      if (session !== this.#session || this.#status.state !== 'connected') return
      this.#setListing(listing)
      if (this.#status.toolCount !== listing.tools.length)
        this.#set({ ...this.#status, toolCount: listing.tools.length })
    } catch (error) {
      if (session !== this.#session) return
      if (findCause(error, SessionExpired) !== undefined) this.#renew(session)
      else
        this.#parts.log.record({
          phase: 'tools/list',
          detail: `the changed list could not be read: ${describeFailure(error)}`,
        })
    }
  }
}

function needsAuth(reason: string, missingScope?: string): ConnectionStatus {
  const shown = reason.length <= longestReason ? reason : `${reason.slice(0, longestReason - 1)}…`
  return { state: 'needs-auth', reason: shown, ...(missingScope !== undefined && { missingScope }) }
}

/** Everything a connection depends on: not the login, the switches of tools, nor the budget of calls. */
function connectionKey({ id, name, source, enabled, raw }: ServerDefinition): string {
  const { oauth: _, disabledTools: __, timeout: ___, ...declared } = raw
  return JSON.stringify([id, name, source, enabled, declared])
}
