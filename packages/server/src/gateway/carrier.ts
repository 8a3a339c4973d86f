import type { JsonObject } from './json.ts'
import type { RequestHeaders } from './request-headers.ts'
import type { Caller } from './tool-set.ts'

/** What a transport tells the gateway about the message it carries, and how the gateway talks back besides the reply. */
export interface Carrier {
  readonly caller: Caller
  /** Undefined where the transport has no headers. */
  readonly headers: RequestHeaders | undefined
  /** Aborted when nobody can receive the reply any more, or when the endpoint closes. */
  readonly signal: AbortSignal
  /** Whether `send` can work at all for this message. */
  readonly streams: boolean
  /** Sends a message ahead of the reply. Returns false when the client cannot take one or the reply is out. */
  send(message: JsonObject): boolean
}
