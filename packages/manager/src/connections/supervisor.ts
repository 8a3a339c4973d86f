import type { ServerDefinition } from '../config/index.ts'
import type { AttemptLog } from '../diagnostics/index.ts'
import { Attempts } from './attempts.ts'
import type { Authorization } from './authorization.ts'
import { Retries } from './backoff.ts'
import { connectionKey } from './connection-key.ts'
import type {
  CallToolOptions,
  CallToolResult,
  ConnectionEvent,
  ConnectionStatus,
  QuarantinedTool,
  RemoteTool,
  ServerConnection,
  TransportKind,
} from './connection.ts'
import { describeFailure } from './failures.ts'
import { LiveSession } from './live-session.ts'
import { requestTimeoutMs } from './session.ts'
import type { Listing, Session } from './session.ts'
import { ShownState } from './shown-state.ts'
import { connected, describeConnected, failed, needsAuth, untried } from './status.ts'
import { callOver } from './tool-call.ts'
import type { CallPath } from './tool-call.ts'
import { judge } from './verdict.ts'
import { within } from './within.ts'

/** A connection that stood this long was a good one: when it breaks, it is opened again at once. */
const goodAfterMs = 3_000

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

/**
 * Keeps one server connected. Whatever an older attempt or session still brings is dropped, so nothing late can register
 * tools or clear a newer connection.
 */
export class Supervisor implements ServerConnection {
  readonly #parts: SupervisorParts
  readonly #shown = new ShownState()
  readonly #attempts = new Attempts()
  readonly #retries = new Retries()
  #definition: ServerDefinition
  #authorization: Authorization
  #live: LiveSession | undefined
  #renewal: Promise<void> | undefined
  #endFirst: () => void = () => undefined
  #stopped = false
  /** What ended the last connection. */
  #lastEnd: string | undefined
  readonly firstAttempt: Promise<void>
  readonly #callPath: CallPath = {
    server: () => this,
    live: async () => {
      await this.#renewal
      return this.#live
    },
    lastEnd: () => this.#lastEnd,
    redact: (text) => this.#parts.log.redact(text),
    renew: (live) => this.#renew(live),
    failed: (live, failure, verdict) => {
      if (failure.code !== 'aborted') this.#parts.log.record({ phase: 'tools/call', detail: failure.message })
      if (live !== this.#live) return
      if (verdict.kind === 'login') this.markNeedsAuth(verdict.reason, verdict.missingScope)
      else if (verdict.kind === 'outage' && failure.code === 'transport') void live.verify()
    },
  }

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
    return this.#shown.status
  }
  get tools(): readonly RemoteTool[] {
    return this.#shown.tools
  }
  get quarantined(): readonly QuarantinedTool[] {
    return this.#shown.quarantined
  }
  get instructions(): string | undefined {
    return this.#live?.session.instructions
  }
  get serverTitle(): string | undefined {
    return this.#live?.session.serverTitle
  }

  subscribe(listener: (event: ConnectionEvent) => void): () => void {
    return this.#shown.subscribe(listener)
  }

  /** Takes a new definition; reconnects unless it differs only in the OAuth record and the switches of single tools. */
  replace(definition: ServerDefinition): void {
    const before = this.#definition
    this.#definition = definition
    if (connectionKey(definition) === connectionKey(before)) {
      const switched = JSON.stringify(definition.raw.disabledTools) !== JSON.stringify(before.raw.disabledTools)
      if (switched) this.#shown.tell({ kind: 'status' })
      return
    }
    void this.#startOver()
  }

  async reconnect(): Promise<ConnectionStatus> {
    if (this.#stopped || !this.#definition.enabled) return this.status
    this.#parts.forgetEra(this.#definition)
    await this.#startOver()
    return this.status
  }

  markAuthorizing(): void {
    if (this.status.state === 'connected' || this.#stopped) return
    this.#retries.cancel()
    this.#attempts.cancel()
    this.#shown.set({ state: 'authorizing' })
  }

  markNeedsAuth(reason: string, missingScope?: string): void {
    if (this.#stopped) return
    this.#drop()
    this.#shown.set(needsAuth(this.#parts.log.redact(reason), missingScope))
  }

  markScopeNeeded(missingScope: string | undefined): void {
    if (this.status.state !== 'connected') return
    const { missingScope: _, ...status } = this.status
    this.#shown.set(missingScope === undefined ? status : { ...status, missingScope })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#drop()
    this.#endFirst()
    this.#shown.set({ state: 'disconnected' })
    await this.#attempts.ended
    this.#shown.close()
  }

  async callTool(
    rawName: string,
    args: Readonly<Record<string, unknown>>,
    { signal, timeoutMs = this.#definition.timeout ?? this.#parts.toolCallTimeoutMs }: CallToolOptions = {},
  ): Promise<CallToolResult> {
    const limits = { timeoutMs, ...(signal !== undefined && { signal }) }
    const result = await callOver(this.#callPath, rawName, args, limits)
    this.#parts.onToolOk()
    return result
  }

  #startOver(): Promise<void> {
    this.#authorization = this.#parts.authorization(this.#definition)
    this.#retries.startOver()
    this.#drop()
    return this.#begin()
  }

  /** Ends whatever is there. The next attempt waits until it has really ended. */
  #drop(): void {
    this.#retries.cancel()
    this.#attempts.cancel()
    const live = this.#live
    this.#live = undefined
    this.#renewal = undefined
    if (live !== undefined) this.#close(live)
    this.#shown.unlist()
  }

  #close(live: LiveSession): void {
    live.release()
    this.#attempts.waitFor(live.session.close())
  }

  /** Starts an attempt, if one makes sense. Resolves when it has ended. */
  #begin(): Promise<void> {
    if (this.#stopped) return Promise.resolve()
    const pointless = untried(this.#definition, this.#authorization)
    if (pointless !== undefined) {
      this.#shown.set(pointless)
      this.#endFirst()
      return Promise.resolve()
    }
    const { signal, done } = this.#attempts.begin((signal) => this.#connect(signal))
    this.#shown.set({ state: 'connecting' })
    return done
      .catch((error: unknown) => {
        if (!signal.aborted) this.#failed(error)
      })
      .finally(() => {
        if (this.#attempts.isCurrent(signal) || this.#stopped) this.#endFirst()
      })
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const session = await this.#parts.open(this.#definition, this.#authorization, signal)
    let listing: Listing
    try {
      signal.throwIfAborted()
      listing = await within(requestTimeoutMs, (ended) => session.list(ended), signal)
      signal.throwIfAborted()
    } catch (error) {
      this.#attempts.waitFor(session.close())
      throw new Error(`tools/list: ${describeFailure(error)}`, { cause: error })
    }
    this.#adopt(session, listing)
  }

  #adopt(session: Session, listing: Listing): void {
    const live = new LiveSession(session, this.#parts.log, {
      lost: (reason) => this.#lost(session.transport, reason),
      expired: () => this.#renew(live),
      needsLogin: (reason, missingScope) => this.markNeedsAuth(reason, missingScope),
      listed: (changed) => this.#shown.relist(changed),
    })
    this.#live = live
    this.#retries.startOver()
    this.#lastEnd = undefined
    this.#parts.log.record({ phase: 'tools/list', detail: describeConnected(session, listing) })
    this.#shown.list(listing)
    this.#shown.set(connected(session, listing.tools.length))
  }

  /** An attempt ended without a connection. */
  #failed(error: unknown): void {
    if (this.#stopped) return
    const verdict = judge(error)
    if (verdict.kind === 'login') {
      this.#shown.set(needsAuth(this.#parts.log.redact(verdict.reason), verdict.missingScope))
      return
    }
    this.#parts.forgetEra(this.#definition)
    this.#scheduleRetry(describeFailure(error))
  }

  #scheduleRetry(reason: string): void {
    const retryAt = this.#retries.schedule(() => void this.#begin())
    this.#shown.set(failed(this.#parts.log.redact(reason), retryAt))
  }

  /** The connection broke by itself. */
  #lost(transport: TransportKind, reason: string): void {
    if (this.#stopped) return
    const stood = this.status.state === 'connected' ? Date.now() - this.status.since : 0
    this.#lastEnd = reason
    this.#parts.log.record({ phase: 'session', detail: reason })
    this.#drop()
    if (transport === 'http-sse' && stood >= goodAfterMs) void this.#begin()
    else this.#scheduleRetry(reason)
  }

  /** The server forgot our session: opens another in its place; callers wait for it. */
  #renew(old: LiveSession): void {
    if (old !== this.#live || this.#renewal !== undefined) return
    this.#parts.log.record({ phase: 'session', detail: 'the session had expired at the server; initialising again' })
    old.release()
    const { signal, done } = this.#attempts.begin((signal) => this.#connect(signal))
    const renewal = done
      .then(() => this.#close(old))
      .catch((error: unknown) => {
        if (signal.aborted) return
        this.#drop()
        this.#failed(error)
      })
      .finally(() => {
        if (this.#renewal === renewal) this.#renewal = undefined
      })
    this.#renewal = renewal
  }
}
