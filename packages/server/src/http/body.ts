import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'

export type Body =
  | { readonly kind: 'complete'; readonly bytes: Buffer }
  /** The limit is exceeded; the rest has not been read. */
  | { readonly kind: 'too-large' }
  /** The client left before the body was complete. */
  | { readonly kind: 'gone' }

/**
 * Reads a request body of at most `limit` bytes. A `Content-Length` beyond the limit is refused without reading; a body
 * without one is counted as it arrives.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Body> {
  if (Number(request.headers['content-length']) > limit) return Promise.resolve({ kind: 'too-large' })
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (body: Body): void => {
      request.off('data', onData)
      request.off('end', onEnd)
      request.off('close', onGone)
      request.off('error', onGone)
      resolve(body)
    }
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size > limit) {
        request.pause()
        settle({ kind: 'too-large' })
      } else chunks.push(chunk)
    }
    const onEnd = (): void => {
      settle({ kind: 'complete', bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size) })
    }
    const onGone = (): void => settle({ kind: 'gone' })
    request.on('data', onData)
    request.on('end', onEnd)
    request.on('close', onGone)
    request.on('error', onGone)
  })
}

export type Parsed = { readonly ok: true; readonly message: unknown } | { readonly ok: false; readonly reason: string }

/** Parses a body: UTF-8 (RFC 8259 §8.1) and one JSON value. */
export function parseBody(bytes: Buffer): Parsed {
  if (bytes.length === 0) return { ok: false, reason: 'The request body is empty' }
  if (!isUtf8(bytes)) return { ok: false, reason: 'The request body is not UTF-8' }
  try {
    return { ok: true, message: JSON.parse(bytes.toString('utf8')) as unknown }
  } catch {
    // The engine's text quotes the body; the client knows what it sent.
    return { ok: false, reason: 'The request body is not JSON' }
  }
}
