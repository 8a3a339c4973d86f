import type { JsonValue } from './json.ts'

/** What the transport sends back for one message. `text` is one serialized JSON-RPC response. */
export type Reply =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'answer'; readonly status: number; readonly text: string }

/** For notifications: nothing to say. Over HTTP 202 with an empty body. */
export const accepted: Reply = { kind: 'accepted' }

/** A response whose result is already serialized. */
export function resultReply(id: JsonValue, resultText: string): Reply {
  return { kind: 'answer', status: 200, text: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultText}}` }
}

/** An error response. `status` is the HTTP status where the transport has one. */
export function errorReply(status: number, id: JsonValue, code: number, message: string, data?: JsonValue): Reply {
  const error = data === undefined ? { code, message } : { code, message, data }
  return { kind: 'answer', status, text: JSON.stringify({ jsonrpc: '2.0', id, error }) }
}
