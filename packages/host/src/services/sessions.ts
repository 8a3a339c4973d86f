import type { RequestHeader, SessionEvent } from './session-events.ts'

/** `createdAt` is in milliseconds since the Unix epoch; `seedLength` counts the events inherited from the parent. */
export interface SessionHeader {
  readonly id: string
  readonly createdAt: number
  readonly cwd?: string
  readonly parentSession?: string
  readonly seedLength?: number
  readonly origin?: string
  readonly delegationDepth?: number
  readonly agentPreset?: string
}

/** A live session. `events` is a frozen snapshot in which the index is the `seq`. */
export interface Session {
  readonly id: string
  readonly header: SessionHeader
  readonly events: readonly SessionEvent[]
  readonly seq: number
  requestHeader(): RequestHeader | undefined
}

export interface SessionStore {
  get(id: string): Session | undefined
  list(): readonly Session[]
  flush(session: Session): Promise<boolean>
}

export interface SessionLog {
  readonly meta: SessionHeader
  readonly events: readonly SessionEvent[]
}

export interface SessionPersistence {
  /** The balanced log without reviving the session; the prepared log is kept for a while by the host. */
  inspect(id: string, signal?: AbortSignal): Promise<SessionLog>
  list(signal?: AbortSignal): Promise<readonly SessionHeader[]>
  /** Where the artifact of a session is or would be; only for `stat`, its format is the host's own. */
  locate?(header: SessionHeader): { readonly path: string } | undefined
}

export interface SessionRecord {
  readonly header: SessionHeader
  readonly live: boolean
  readonly persisted: boolean
}

export interface SessionSearchHit {
  readonly header: SessionHeader
}

export interface SessionQuery {
  listSessions(signal?: AbortSignal): Promise<readonly SessionRecord[]>
  readSession(id: string): Promise<{ readonly session: SessionHeader; readonly events: readonly SessionEvent[] }>
  searchSessions(
    request: { readonly query: string; readonly limit?: number; readonly cursor?: string },
    exec?: { readonly signal?: AbortSignal },
  ): Promise<{ readonly items: readonly SessionSearchHit[]; readonly nextCursor?: string }>
}

export interface SessionTitle {
  get(session: Session): { readonly title: string } | undefined
  rename(session: Session, title: string): { readonly title: string }
}

/** Values of the registered projections by key. Which keys exist depends on the mounted plugins. */
export interface ProjectionSnapshot {
  readonly asOfSeq: number
  readonly values: Readonly<Record<string, unknown>>
}

export interface SessionProjections {
  snapshot(session: Session): ProjectionSnapshot
}

export interface SessionProjectionCache {
  /** The last checkpoint of a stored session, without reading its log. */
  cachedSnapshot(header: SessionHeader): ProjectionSnapshot | undefined
  coldSnapshot(id: string, signal?: AbortSignal): Promise<ProjectionSnapshot>
}

export interface TokenMeter {
  measure(session: Session): { readonly totalTokens: number }
}
