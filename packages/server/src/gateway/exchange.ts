import type { InputRetry } from './input-required.ts'
import type { JsonObject, JsonValue } from './json.ts'

/** The message traffic that belongs to one request, besides its answer. */
export interface Exchange {
  /** `params._meta` of the request; empty when it had none. */
  readonly meta: JsonObject
  /** Capabilities the client declared with this request; empty in the legacy era, where they are not remembered. */
  readonly clientCapabilities: JsonObject
  /** What a retry of a multi round-trip request brought. */
  readonly retry: InputRetry
  /**
   * Sends a notification on this request's own response stream. Returns false, and sends nothing, when the answer cannot
   * be a stream or has ended.
   */
  notify(method: string, params: JsonObject): boolean
  /**
   * Asks the client on this request's response stream (legacy era only). Rejects when no extension that accepts posted
   * responses is mounted, when the answer cannot be a stream, or when the call is aborted.
   */
  ask(method: string, params: JsonObject): Promise<JsonValue>
}
