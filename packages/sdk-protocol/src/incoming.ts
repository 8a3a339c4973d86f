import type { Diagnostic } from './diagnostics.ts'
import { shown } from './diagnostics.ts'
import {
  INTERNAL_ERROR,
  JsonRpcResponseError,
  JsonRpcTransportError,
  METHOD_NOT_FOUND,
  MethodNotFoundError,
  methodNotFoundMessage,
  textOfThrown,
} from './errors.ts'
import { readFrameHead } from './frame-head.ts'
import { classify, errorLine, resultLine } from './frames.ts'
import type { FrameId, Line, Params } from './frames.ts'
import type { PendingRequests } from './pending-requests.ts'

/** Answers a request: what it resolves to is the `result`, what it throws becomes an error answer. */
export type RequestHandler = (method: string, params: Params) => unknown

/** Takes a notification. What it throws is reported to `onDiagnostic` and goes no further. */
export type NotificationHandler = (method: string, params: Params) => unknown

/** What the frames of the peer are dealt out to. */
export interface IncomingParts {
  readonly pending: PendingRequests
  readonly maxLineBytes: number
  readonly preserveHandlerErrors: boolean
  /** Sends an answer; false when the connection no longer takes one. */
  readonly send: (line: Line) => boolean
  readonly report: (diagnostic: Diagnostic) => void
}

/** Lines of the peer → handlers and waiting requests. Nothing that a line holds or a handler does throws out of it. */
export class IncomingFrames {
  readonly #parts: IncomingParts
  onRequest: RequestHandler | undefined
  onNotification: NotificationHandler | undefined

  constructor(parts: IncomingParts) {
    this.#parts = parts
  }

  take(line: string): void {
    const value = this.#parse(line)
    if (value === undefined) return
    const frame = classify(value)
    switch (frame.kind) {
      case 'request':
        this.#serve(frame.id, frame.method, frame.params)
        break
      case 'response':
        if (!this.#parts.pending.answer(frame.id, frame.error, frame.result)) {
          this.#parts.report({ kind: 'unexpected-response', id: frame.id })
        }
        break
      case 'notification':
        this.#deliver(frame.method, frame.params)
        break
      case 'none':
        this.#parts.report({ kind: 'not-a-frame', text: shown(line) })
        break
    }
  }

  /** The beginning of a line that was too long: whoever waits for it, here or there, is told. */
  takeTooLong(head: string): void {
    const { pending, maxLineBytes, report } = this.#parts
    const { id, method, kind } = readFrameHead(head)
    report({ kind: 'line-too-long', limitBytes: maxLineBytes, text: shown(head), id, method })
    if (id === undefined) return
    const message = `the line is longer than the limit of ${maxLineBytes} bytes and was dropped`
    if (kind === 'request-or-notification') this.#send(errorLine(id, INTERNAL_ERROR, message), method ?? '')
    else pending.fail(id, new JsonRpcTransportError('answer-too-long', `the answer was dropped: ${message}`))
  }

  /** Blank lines and lines that are not JSON give `undefined`. */
  #parse(line: string): unknown {
    try {
      return JSON.parse(line)
    } catch (error) {
      // JSON knows four kinds of white space; the wire forgives the others (a byte order mark, a no-break space) as well.
      const trimmed = line.trim()
      if (trimmed === '') return undefined
      if (trimmed.length !== line.length) return this.#parse(trimmed)
      if (error instanceof Error) this.#parts.report({ kind: 'malformed-line', text: shown(line), error })
      return undefined
    }
  }

  #serve(id: FrameId, method: string, params: Params): void {
    const handler = this.onRequest
    if (handler === undefined) {
      this.#send(errorLine(id, METHOD_NOT_FOUND, methodNotFoundMessage(method)), method)
      return
    }
    try {
      const result = handler(method, params)
      if (isThenable(result)) {
        // A promise of its own settles once, whatever the handler's thenable does.
        Promise.resolve(result).then(
          (value) => this.#answer(id, method, value),
          (error: unknown) => this.#answerError(id, method, error),
        )
      } else this.#answer(id, method, result)
    } catch (error) {
      this.#answerError(id, method, error)
    }
  }

  #answer(id: FrameId, method: string, result: unknown): void {
    let line: Line
    try {
      line = resultLine(id, result)
    } catch (error) {
      this.#answerError(id, method, error)
      return
    }
    this.#send(line, method)
  }

  #answerError(id: FrameId, method: string, error: unknown): void {
    this.#parts.report({ kind: 'request-handler-failed', method, id, error })
    const message = textOfThrown(error)
    if (error instanceof MethodNotFoundError) this.#send(errorLine(id, METHOD_NOT_FOUND, message), method)
    else if (this.#parts.preserveHandlerErrors && error instanceof JsonRpcResponseError) {
      this.#send(errorLine(id, error.code ?? INTERNAL_ERROR, message, error.data), method)
    } else this.#send(errorLine(id, INTERNAL_ERROR, message), method)
  }

  #send(line: Line, method: string): void {
    if (!this.#parts.send(line)) this.#parts.report({ kind: 'frame-not-sent', frame: 'answer', method })
  }

  #deliver(method: string, params: Params): void {
    const handler = this.onNotification
    if (handler === undefined) {
      this.#parts.report({ kind: 'unhandled-notification', method })
      return
    }
    const fail = (error: unknown): void => this.#parts.report({ kind: 'notification-handler-failed', method, error })
    try {
      const outcome = handler(method, params)
      if (isThenable(outcome)) outcome.then(undefined, fail)
    } catch (error) {
      fail(error)
    }
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as Partial<PromiseLike<unknown>>).then === 'function'
  )
}
