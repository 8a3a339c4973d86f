import type { ChangeFeed } from './subscriptions.ts'
import type { JsonObject, JsonValue } from './json.ts'
import type { MethodTable } from './method.ts'

/**
 * What an endpoint may add to the methods and capabilities that every one has. Each member stands alone; without an
 * extension the gateway sends nothing besides replies and refuses posted responses.
 */
export interface Extension {
  /** Merged over the capabilities of the `initialize` result. */
  readonly legacyCapabilities?: JsonObject
  /** Merged over the capabilities of the `server/discover` result. */
  readonly modernCapabilities?: JsonObject
  /** Added to the method table of the legacy era, replacing methods of the same name. */
  readonly legacyMethods?: MethodTable
  /** Added to the method table of 2026-07-28. */
  readonly modernMethods?: MethodTable
  /** News that `subscriptions/listen` can deliver. */
  readonly changes?: ChangeFeed
  /** Requests to the client during a call (legacy era). */
  readonly questions?: Questions
}

/** Keeps the requests sent to clients until their responses are posted. */
export interface Questions {
  /** Sends the request through `send`; settles with the client's result, its error, or the abort. */
  ask(
    send: (message: JsonObject) => boolean,
    method: string,
    params: JsonObject,
    signal: AbortSignal,
  ): Promise<JsonValue>
  /** Takes a posted response. Returns false when no request waits for it. */
  answer(id: JsonValue, message: JsonObject): boolean
}
