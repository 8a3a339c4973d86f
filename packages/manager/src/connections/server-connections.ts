import type { HttpServer, ServerDefinition } from '../config/index.ts'
import type { AttemptLogs } from '../diagnostics/index.ts'
import type { Authorization } from './authorization.ts'
import type { ConnectionEvent, ServerConnection } from './connection.ts'

/** What a set of connections needs from outside. */
export interface ConnectionSettings {
  readonly logs: AttemptLogs
  /** Environment to resolve `${NAME}`, `headerEnv` and tokens in, and that child processes inherit (scrubbed). */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Credentials of an HTTP server whose mode is `oauth`. */
  readonly authorize: (server: HttpServer) => Authorization
  /** Default budget of a tool call in milliseconds. */
  readonly toolCallTimeoutMs: number
  /** Longest message accepted on stdio and HTTP+SSE, in bytes; default 64 MiB. */
  readonly frameLimit?: number
  /** stdio servers that may start at once; default 8. */
  readonly parallelStarts?: number
  /** Told of each tool call that succeeded. */
  readonly onToolOk?: (serverId: string) => void
  /** Version this client tells servers. */
  readonly clientVersion?: string
}

/** Something happened in a set: a server came or went (`servers`), or one of its connections changed. */
export type ConnectionsEvent =
  | { readonly kind: 'servers' }
  | (ConnectionEvent & { readonly connection: ServerConnection })

/** The supervisors of all servers, one each. */
export interface ServerConnections {
  /**
   * Makes `definition` the running one of its id: starts it, replaces an older definition (dropping its connection), or
   * does nothing when only its OAuth record differs. Returns at once; connecting goes on in the background.
   */
  start(definition: ServerDefinition): ServerConnection
  /** Ends a server: no process, no request, no retry is left when the promise resolves. Unknown ids are ignored. */
  stop(serverId: string): Promise<void>
  get(serverId: string): ServerConnection | undefined
  list(): readonly ServerConnection[]
  subscribe(listener: (event: ConnectionsEvent) => void): () => void
  /** Resolves when no server is in its first attempt any more, or after `limitMs`, or when `signal` aborts. */
  firstAttempts(limitMs: number, signal?: AbortSignal): Promise<void>
  /** Stops all. */
  close(): Promise<void>
}
