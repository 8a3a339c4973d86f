import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { errorResponse } from './errors.ts'

function toRequest(message: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const method = message.method ?? 'GET'
  const hasBody = method !== 'GET' && method !== 'HEAD'
  // the authority is fixed: who was asked for is judged by the Host header alone
  return new Request(new URL(message.url ?? '/', 'http://localhost'), {
    method,
    headers,
    signal,
    ...(hasBody && { body: Readable.toWeb(message) as ReadableStream<Uint8Array>, duplex: 'half' }),
  })
}

async function send(response: Response, to: ServerResponse): Promise<void> {
  to.writeHead(response.status, Object.fromEntries(response.headers.entries()))
  if (response.body === null) {
    to.end()
    return
  }
  const reader = response.body.getReader()
  to.once('close', () => void reader.cancel().catch(() => undefined))
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    if (!to.write(value) && !to.destroyed) {
      await new Promise<void>((resolve) => {
        to.once('drain', resolve)
        to.once('close', resolve)
      })
    }
    if (to.destroyed) return
  }
  to.end()
}

/** Serves a `Request → Response` function through a Node request handler. Never rejects. */
export function nodeHandler(
  handle: (request: Request) => Promise<Response>,
): (message: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (message, response) => {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    try {
      await send(await handle(toRequest(message, gone.signal)), response)
    } catch (error) {
      if (response.headersSent) response.destroy()
      else await send(errorResponse(error), response).catch(() => response.destroy())
    }
  }
}
