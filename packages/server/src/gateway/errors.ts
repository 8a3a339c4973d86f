import type { JsonValue } from './json.ts'

/** JSON-RPC 2.0 §5.1 and MCP 2026-07-28 (Base protocol, Error codes). */
export const errorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Revisions up to 2025-11-25 only; 2026-07-28 answers `invalidParams`. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingRequiredClientCapability: -32021,
  unsupportedProtocolVersion: -32022,
} as const

/**
 * What a tool set, a resource set or an extension throws to be answered with a protocol error. Anything else that is
 * thrown is answered `-32603` without a word of the cause.
 *
 * A tool that ran and failed does not throw: it returns a result with `isError: true` (MCP, Tools, Error handling).
 */
export type ProtocolErrorKind =
  | 'unknown-tool'
  | 'invalid-params'
  | 'resource-not-found'
  | 'service-unavailable'
  | 'missing-client-capability'

export class ProtocolError extends Error {
  readonly kind: ProtocolErrorKind
  /** Goes to the client as `error.data`. */
  readonly data: JsonValue | undefined

  constructor(kind: ProtocolErrorKind, message: string, options: { data?: JsonValue; cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = 'ProtocolError'
    this.kind = kind
    this.data = options.data
  }
}
