import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { errorCode, errorReply } from '../gateway/index.ts'

/** An answer that no JSON-RPC message caused. */
export interface Refusal {
  readonly status: number
  readonly error: string
  readonly message: string
}

/** How long a client may go on sending a body that is refused already, in milliseconds. */
const lingerMs = 2_000

/** Answers without having read the body; Node discards it. */
export function refuse(response: ServerResponse, refusal: Refusal, headers: OutgoingHttpHeaders = {}): void {
  const text = JSON.stringify({ error: refusal.error, message: refusal.message })
  const challenge = refusal.status === 401 ? { 'www-authenticate': 'Bearer realm="dsh-mcp"' } : {}
  response.writeHead(refusal.status, { ...jsonHeaders(text), ...challenge, ...headers }).end(text)
}

/**
 * 413 with a JSON-RPC error. The connection ends, but not before the client had time to read the answer: closing it with
 * unread data pending would reset it.
 */
export function refuseTooLarge(request: IncomingMessage, response: ServerResponse, limit: number): void {
  const reply = errorReply(413, null, errorCode.parseError, `The request body exceeds ${limit} bytes`)
  if (reply.kind !== 'answer') return
  response.writeHead(413, { ...jsonHeaders(reply.text), connection: 'close' })
  response.write(reply.text)
  const end = (): void => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, lingerMs)
  request.once('end', end)
  request.once('close', end)
  request.resume()
}

function jsonHeaders(text: string): OutgoingHttpHeaders {
  return { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
}
