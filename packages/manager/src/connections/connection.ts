import type { ServerDefinition } from '../config/index.ts'

/** Era of the protocol: `initialize` and sessions, or self-describing requests (2026-07-28 and later). */
export type Era = 'legacy' | 'modern'

/** The wire a connection ended up on. */
export type TransportKind = 'stdio' | 'streamable-http' | 'http-sse'

/**
 * The state of one server, as shown to people. `reason` is one redacted line of at most 300 characters that says what
 * failed, at which stage, and what to do next.
 */
export type ConnectionStatus =
  /** Not tried yet, or closed. */
  | { readonly state: 'disconnected' }
  | { readonly state: 'connecting' }
  /** Handshake and `tools/list` are both done. `since` is epoch milliseconds. */
  | {
      readonly state: 'connected'
      readonly transport: TransportKind
      readonly era: Era
      readonly protocolVersion: string
      /** Why this era and transport, for example `server/discover answered` or `remembered`. */
      readonly reason: string
      readonly toolCount: number
      readonly since: number
      /** A tool call waits for a login that grants these scopes. */
      readonly missingScope?: string
    }
  /** No credential, or a refused one. Not retried. `missingScope` is set when a login lacks scopes. */
  | { readonly state: 'needs-auth'; readonly reason: string; readonly missingScope?: string }
  /** A browser flow is open. */
  | { readonly state: 'authorizing' }
  /** Failed. Tried again at `retryAt` (epoch milliseconds). */
  | { readonly state: 'error'; readonly reason: string; readonly retryAt?: number }
  | { readonly state: 'disabled' }
  /** The name is taken by another server. */
  | { readonly state: 'conflict'; readonly reason: string }
  /** Declared in a workspace that is not loaded. */
  | { readonly state: 'configured' }

/** A tool as its server listed it (MCP 2026-07-28, server/tools). Schemas are untrusted and unchecked. */
export interface RemoteTool {
  /** The name the server knows; the only one ever sent to it. */
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: unknown
  readonly outputSchema?: unknown
  readonly annotations?: Readonly<Record<string, unknown>>
}

/** A listed tool that cannot be offered, and why. The others of its server are not touched. */
export interface QuarantinedTool {
  readonly name: string
  readonly reason: string
}

/** What a tool call gave. Blocks are unchecked: a server may send types this client does not know. */
export interface CallToolResult {
  readonly content: readonly unknown[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** Options of one tool call. */
export interface CallToolOptions {
  readonly signal?: AbortSignal
  /** Budget in milliseconds; absent: the server's `timeout`, else the plugin row's, else 60 000. */
  readonly timeoutMs?: number
}

/** What a connection tells its subscribers. The new value is on the connection itself. */
export type ConnectionEvent = { readonly kind: 'status' } | { readonly kind: 'tools' }

/** Machine-readable cause of a failed call. */
export type ConnectionErrorCode =
  | 'not-connected'
  | 'needs-auth'
  | 'insufficient-scope'
  | 'timeout'
  | 'aborted'
  | 'closed'
  | 'protocol'
  | 'transport'
  | 'frame-too-large'

/** A call or connection attempt that failed; the message is redacted and ready to be shown. */
export class ConnectionError extends Error {
  readonly code: ConnectionErrorCode
  constructor(code: ConnectionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ConnectionError'
    this.code = code
  }
}

/** One server under supervision: its state, its tools, and the way to call them. */
export interface ServerConnection {
  readonly serverId: string
  readonly serverName: string
  readonly definition: ServerDefinition
  readonly status: ConnectionStatus
  /** Tools of the last completed `tools/list`; empty unless connected. A new array only when something changed. */
  readonly tools: readonly RemoteTool[]
  readonly quarantined: readonly QuarantinedTool[]
  /** What the server says about itself for the model, when it says anything. */
  readonly instructions: string | undefined
  /** The title the server gives itself, when connected. */
  readonly serverTitle: string | undefined
  /** Settles when the first attempt has ended, whatever its outcome. Never rejects. */
  readonly firstAttempt: Promise<void>
  /**
   * Calls one tool by the server's own name. An `isError` result is a result, not a rejection.
   * @throws {ConnectionError} not connected, timed out, aborted, refused or lost.
   */
  callTool(rawName: string, args: Readonly<Record<string, unknown>>, options?: CallToolOptions): Promise<CallToolResult>
  /** Drops the connection, cancels any waiting retry and connects anew. Resolves with the outcome, never rejects. */
  reconnect(): Promise<ConnectionStatus>
  /** Shows that a browser login is open, until {@link ServerConnection.reconnect} or the next attempt. */
  markAuthorizing(): void
  /** Ends an abandoned login. */
  markNeedsAuth(reason: string, missingScope?: string): void
  /** Shows that a tool call waits for a login with these scopes; with nothing: none waits any more. */
  markScopeNeeded(missingScope: string | undefined): void
  subscribe(listener: (event: ConnectionEvent) => void): () => void
}
