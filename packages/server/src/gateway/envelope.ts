import { isJsonObject } from './json.ts'
import type { JsonObject, JsonValue } from './json.ts'

/** One JSON-RPC message, judged by its structure alone: an object with a string `method`. */
export type Envelope =
  | { readonly kind: 'request'; readonly id: JsonValue; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'response'; readonly id: JsonValue; readonly message: JsonObject }
  | { readonly kind: 'invalid'; readonly id: JsonValue; readonly reason: string }

const noParams: JsonObject = {}

/**
 * Sorts a parsed body. A message with an `id` of any type is a request; whether that type is allowed is a question of the
 * era. Members other than `id`, `method` and `params` are not looked at. `params` that is no object reads as empty.
 */
export function readEnvelope(message: unknown): Envelope {
  if (Array.isArray(message)) {
    return { kind: 'invalid', id: null, reason: 'JSON-RPC batches are not supported: send one message per request' }
  }
  if (!isJsonObject(message)) return { kind: 'invalid', id: null, reason: 'The body must be one JSON-RPC object' }
  const { id, method } = message
  if (typeof method !== 'string') {
    if (id !== undefined && (message.result !== undefined || isJsonObject(message.error))) {
      return { kind: 'response', id, message }
    }
    return { kind: 'invalid', id: echoable(id), reason: 'The message has no "method" string' }
  }
  const params = isJsonObject(message.params) ? message.params : noParams
  return id === undefined ? { kind: 'notification', method, params } : { kind: 'request', id, method, params }
}

/** JSON-RPC 2.0 §5: the id of an error answer is null where the request's own could not be read. */
function echoable(id: JsonValue | undefined): JsonValue {
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
