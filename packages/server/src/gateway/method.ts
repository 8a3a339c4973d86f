import type { JsonObject, JsonValue } from './json.ts'
import type { CallContext } from './tool-set.ts'

/** One request method of one era. */
export interface Method {
  /**
   * Returns the result object; a failure that the client should see is a ProtocolError. Called with parameters that are
   * an object, possibly empty.
   */
  handle(params: JsonObject, context: CallContext, id: JsonValue): JsonObject | Promise<JsonObject>
  /** The same answer every time: serialized once. */
  readonly constant?: true
  /** A list that is never split into pages, so that every `cursor` is a wrong one (Pagination, Error handling). */
  readonly onePage?: true
  /** Freshness of the result for clients of 2026-07-28, in milliseconds (Caching). Absent: the result carries no hint. */
  readonly ttlMs?: number
  /** The parameter that the `Mcp-Name` header mirrors. */
  readonly mirrored?: 'name' | 'uri'
  /** May answer that it needs input from the client first. */
  readonly mayRequireInput?: true
}

export type MethodTable = Readonly<Record<string, Method>>
