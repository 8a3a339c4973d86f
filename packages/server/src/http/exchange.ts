import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller, Carrier, JsonObject, Reply, RequestHeaders } from '../gateway/index.ts'

export interface StreamTiming {
  /** How long a call may run before its answer becomes an event stream, in milliseconds. */
  readonly streamAfterMs: number
  /** Time between two comments on a silent stream, in milliseconds. */
  readonly keepAliveMs: number
}

/** A client that lists no event streams in `Accept` waits for its JSON, however long that takes. */
export function acceptsEventStream(accept: string | undefined): boolean {
  return accept !== undefined && /\btext\/event-stream\b/i.test(accept)
}

/**
 * One POST and its answer: a JSON document, or an event stream as soon as something has to be said before the answer is
 * there, be it only that the call still runs.
 */
export class HttpExchange implements Carrier, RequestHeaders {
  readonly caller: Caller
  readonly streams: boolean
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #timing: StreamTiming
  #abort: AbortController | undefined
  #abortReason: unknown
  #timer: NodeJS.Timeout | undefined
  #streamStart = 0
  #comments = 0

  constructor(request: IncomingMessage, response: ServerResponse, caller: Caller, timing: StreamTiming) {
    this.#request = request
    this.#response = response
    this.caller = caller
    this.streams = acceptsEventStream(request.headers.accept)
    this.#timing = timing
  }

  get headers(): RequestHeaders {
    return this
  }

  get(name: string): string | undefined {
    const value = this.#request.headers[name]
    return typeof value === 'object' ? value.join(', ') : value
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController()
      if (this.#abortReason !== undefined) this.#abort.abort(this.#abortReason)
    }
    return this.#abort.signal
  }

  /** Nobody waits any more, or nobody may. */
  abort(reason: Error): void {
    this.#abortReason ??= reason
    this.#abort?.abort(reason)
  }

  /** Prepares for an answer that takes time: the client may leave, or need to hear that the call still runs. */
  wait(onGone: () => void): void {
    this.#response.on('close', () => {
      clearTimeout(this.#timer)
      if (this.#response.writableEnded) return
      this.abort(new Error('the client has gone'))
      onGone()
    })
    if (!this.streams || this.#response.headersSent) return
    this.#timer = setTimeout(() => this.#openStream(), this.#timing.streamAfterMs)
  }

  send(message: JsonObject): boolean {
    const response = this.#response
    if (!this.streams || response.writableEnded || response.destroyed) return false
    this.#openStream()
    response.write(frame(JSON.stringify(message)))
    return true
  }

  finish(reply: Reply): void {
    clearTimeout(this.#timer)
    const response = this.#response
    if (response.writableEnded || response.destroyed) return
    if (response.headersSent) {
      response.end(reply.kind === 'answer' ? frame(reply.text) : undefined)
    } else if (reply.kind === 'accepted') {
      response.writeHead(202, { 'content-length': 0 }).end()
    } else {
      const length = Buffer.byteLength(reply.text)
      response.writeHead(reply.status, { 'content-type': 'application/json', 'content-length': length }).end(reply.text)
    }
  }

  /** Breaks the connection off; the client sees that the answer is incomplete. */
  destroy(): void {
    clearTimeout(this.#timer)
    this.#response.destroy()
  }

  #openStream(): void {
    if (this.#response.headersSent || this.#response.destroyed) return
    this.#response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    this.#response.flushHeaders()
    this.#streamStart = performance.now()
    clearTimeout(this.#timer)
    this.#scheduleComment()
  }

  /** Each comment is due at a multiple of the interval since the stream opened, so that delays do not add up. */
  #scheduleComment(): void {
    this.#comments++
    const due = this.#streamStart + this.#comments * this.#timing.keepAliveMs
    this.#timer = setTimeout(
      () => {
        // A client that does not read needs no more to read.
        if (!this.#response.writableNeedDrain) this.#response.write(': keep-alive\n\n')
        this.#scheduleComment()
      },
      Math.max(0, due - performance.now()),
    )
  }
}

/** One `message` event (WHATWG HTML, Server-sent events). Serialized JSON holds no line break. */
function frame(text: string): string {
  return `event: message\ndata: ${text}\n\n`
}
