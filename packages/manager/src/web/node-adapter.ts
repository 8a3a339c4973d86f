import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorResponse } from './errors.ts'

/** A body nobody wants is read and thrown away up to this many bytes, so that the refusal reaches its sender. */
const maxThrownAway = 4 * 1024 * 1024

/**
 * The body of a message as a web stream. Cancelling it lets the rest pass by instead of breaking the connection, over which
 * the answer still has to travel.
 */
function bodyOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      message.pause()
      message.on('data', (chunk: Buffer) => {
        controller.enqueue(new Uint8Array(chunk))
        if ((controller.desiredSize ?? 0) <= 0) message.pause()
      })
      message.once('end', () => controller.close())
      message.once('error', (error) => controller.error(error))
    },
    pull: () => void message.resume(),
    cancel: () => throwAway(message),
  })
}

function throwAway(message: IncomingMessage): void {
  let size = 0
  message.removeAllListeners('data').removeAllListeners('end').removeAllListeners('error')
  message.on('error', () => undefined)
  message.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxThrownAway) message.destroy()
  })
  message.resume()
}

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
    ...(hasBody && { body: bodyOf(message), duplex: 'half' }),
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
      const request = toRequest(message, gone.signal)
      const answer = await handle(request)
      // an answer that did not need the body: let what is left of it pass by
      if (request.body !== null && !request.bodyUsed) await request.body.cancel()
      await send(answer, response)
    } catch (error) {
      if (response.headersSent) response.destroy()
      else await send(errorResponse(error), response).catch(() => response.destroy())
    }
  }
}
