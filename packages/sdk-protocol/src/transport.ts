import type { Diagnostic } from './diagnostics.ts'
import { JsonRpcTransportError, textOfThrown } from './errors.ts'
import { notificationLine, requestLine } from './frames.ts'
import type { Line } from './frames.ts'
import { IncomingFrames } from './incoming.ts'
import type { NotificationHandler, RequestHandler } from './incoming.ts'
import { LineReader } from './line-reader.ts'
import { LineWriter } from './line-writer.ts'
import { abortError, PendingRequests } from './pending-requests.ts'
import type { RequestOptions } from './pending-requests.ts'
import { Silence } from './silence.ts'
import type { ByteInput, ByteOutput } from './streams.ts'

/** What both ends of the wire need of the other one. */
export interface JsonRpcTransportPeer {
  request(method: string, params?: object, options?: AbortSignal | RequestOptions): Promise<unknown>
  notify(method: string, params?: object): void
}

export interface JsonRpcLineTransportOptions {
  /** Longest inbound line in bytes; the rest of a longer one is dropped and the connection lives. Default 64 MiB. */
  readonly maxLineBytes?: number
  /** How many requests may wait for an answer at a time; one more rejects without being sent. Default 65 536. */
  readonly maxPendingRequests?: number
  /**
   * A handler that throws a {@link JsonRpcResponseError} answers with its `code` and `data` instead of -32603.
   * Default false.
   */
  readonly preserveHandlerErrors?: boolean
  /** Told whatever the wire's rules pass over in silence. What it throws is ignored. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

const DEFAULT_MAX_LINE_BYTES: number = 64 * 1024 * 1024
const DEFAULT_MAX_PENDING_REQUESTS = 65_536

type State = 'new' | 'open' | 'input-ended' | 'closed'

/**
 * One end of a JSON-RPC 2.0 connection over two byte streams that the caller owns: one frame per line.
 *
 * A frame with `id` and `method` is a request, with `id` alone a response, with `method` alone a notification; lines that
 * are none of these are ignored. Requests are served concurrently and answered as they finish. Nothing that the peer
 * sends, no handler and no stream error throws out of the transport, and every request settles.
 *
 * @example
 * ```ts
 * const transport = new JsonRpcLineTransport(child.stdout, child.stdin)
 * transport.onNotification((method, params) => console.error(method, params))
 * transport.start()
 * const { serverInfo } = await transport.request('initialize', { cwd, provider, model })
 * ```
 */
export class JsonRpcLineTransport implements JsonRpcTransportPeer {
  readonly #input: ByteInput
  readonly #writer: LineWriter
  readonly #reader: LineReader
  readonly #incoming: IncomingFrames
  readonly #pending: PendingRequests
  readonly #onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined
  readonly #idPrefix = `req_${crypto.randomUUID().slice(0, 8)}_`
  #lastId = 0
  #state: State = 'new'
  /** Why requests reject at once; `undefined` while they can be answered. */
  #ended: Error | undefined
  #onEnd: ((reason: Error) => void) | undefined
  readonly #silence = new Silence()

  /** Touches neither stream before {@link start} or the first frame that is sent. */
  constructor(input: ByteInput, output: ByteOutput, options: JsonRpcLineTransportOptions = {}) {
    this.#input = input
    const maxLineBytes = positive('maxLineBytes', options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES)
    this.#pending = new PendingRequests(
      positive('maxPendingRequests', options.maxPendingRequests ?? DEFAULT_MAX_PENDING_REQUESTS),
    )
    this.#onDiagnostic = options.onDiagnostic
    this.#writer = new LineWriter(output, { onGone: (reason) => this.#onOutputGone(reason) })
    this.#incoming = new IncomingFrames({
      pending: this.#pending,
      maxLineBytes,
      preserveHandlerErrors: options.preserveHandlerErrors ?? false,
      send: (line) => this.#send(line),
      report: (diagnostic) => this.#report(diagnostic),
    })
    this.#reader = new LineReader({
      maxLineBytes,
      onLine: (line) => this.#incoming.take(line),
      onOverflow: (head) => this.#incoming.takeTooLong(head),
    })
  }

  /**
   * Begins to read. Bytes that the stream holds already are read too. Calling it again does nothing.
   *
   * @throws JsonRpcTransportError `closed` after {@link close}, which is final
   */
  start(): void {
    if (this.#state === 'closed') throw closedError()
    if (this.#state !== 'new') return
    this.#state = 'open'
    if (this.#writer.gone === undefined) this.#writer.listen()
    if (this.#input.readableEnded === true || this.#input.destroyed === true) {
      this.#onInputEnd()
      return
    }
    this.#input.on('error', this.#onInputError)
    this.#input.on('end', this.#onInputEnd)
    this.#input.on('close', this.#onInputEnd)
    this.#input.on('data', this.#onData)
  }

  /**
   * Ends the connection on this side: sends what was gathered, stops reading at once (also in the middle of a chunk),
   * rejects waiting requests with `JSON-RPC transport closed` and takes its listeners off. The streams stay as they are.
   * Safe before {@link start}, inside of handlers, and a second time.
   */
  close(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    this.#reader.stop()
    this.#stopReading()
    this.#silence.stop()
    this.#writer.release()
    this.#end(closedError())
  }

  /** Sets the handler of requests, in place of the one before. Without one, requests are answered -32601. */
  onRequest(handler: RequestHandler): void {
    this.#incoming.onRequest = handler
  }

  /** Sets the handler of notifications, in place of the one before. Without one, they are dropped. */
  onNotification(handler: NotificationHandler): void {
    this.#incoming.onNotification = handler
  }

  /**
   * Sets what is called once when the peer can no longer answer: the input ended or failed, the output is gone, or
   * {@link close} was called. When that is so already, it is called in the next microtask.
   */
  onEnd(handler: (reason: Error) => void): void {
    this.#onEnd = handler
    const ended = this.#ended
    if (ended !== undefined) queueMicrotask(() => this.#callOnEnd(ended))
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @param params an object; left out of the frame when `undefined`
   * @param options an `AbortSignal`, or a signal and a time limit. Giving up is local: no frame tells the peer.
   * @returns the `result` of the answer, as it stood on the wire
   * @throws JsonRpcResponseError the peer answered with an error
   * @throws JsonRpcTransportError the connection is or becomes unable to answer, the time is up, or too many requests wait
   * @throws TypeError the params cannot be serialised; nothing was sent
   */
  request(method: string, params?: object, options?: AbortSignal | RequestOptions): Promise<unknown> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended)
    const gone = this.#writer.gone
    if (gone !== undefined) return Promise.reject(gone)
    const wait = isAbortSignal(options) ? { signal: options } : options
    if (wait?.signal?.aborted === true) return Promise.reject(abortError(wait.signal.reason))
    const refusal = this.#pending.refusal
    if (refusal !== undefined) return Promise.reject(refusal)
    const id = this.#idPrefix + ++this.#lastId
    let line: Line
    try {
      line = requestLine(id, method, params)
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new TypeError(textOfThrown(error), { cause: error }))
    }
    const answer = this.#pending.add(id, method, wait)
    this.#writer.write(line)
    return answer
  }

  /**
   * Sends a notification. After {@link close}, or when the output is gone, nothing is sent and nothing thrown: a runtime may
   * still notify while it is being torn down.
   *
   * @throws TypeError the params cannot be serialised
   */
  notify(method: string, params?: object): void {
    const line = notificationLine(method, params)
    if (!this.#send(line)) this.#report({ kind: 'frame-not-sent', frame: 'notification', method })
  }

  /**
   * Settles when all frames before it were handed over to the operating system; rejects when that failed. Wait for it
   * before you end the output or the process.
   */
  flush(): Promise<void> {
    return this.#writer.flush()
  }

  /**
   * Whether the output holds as much as its high-water mark. Frames are never dropped, so a producer of many notifications
   * bounds its memory with `if (transport.needsDrain) await transport.drained()`.
   */
  get needsDrain(): boolean {
    return this.#writer.needsDrain
  }

  /** Resolves when the output takes more, or is gone. */
  drained(): Promise<void> {
    return this.#writer.drained()
  }

  /** How many requests of this side wait for an answer. */
  get pendingRequests(): number {
    return this.#pending.size
  }

  #onData = (chunk: Uint8Array | string): void => {
    this.#silence.heard()
    this.#reader.push(chunk)
  }

  #onInputError = (error: Error): void => {
    this.#report({ kind: 'stream-error', stream: 'input', error })
    if (this.#state === 'open') this.#state = 'input-ended'
    this.#end(error)
  }

  #onInputEnd = (): void => {
    if (this.#state !== 'open') return
    this.#reader.end()
    if (this.#state !== 'open') return
    this.#state = 'input-ended'
    this.#end(new JsonRpcTransportError('input-closed', 'JSON-RPC input closed'))
  }

  #stopReading(): void {
    this.#input.off('data', this.#onData)
    this.#input.off('error', this.#onInputError)
    this.#input.off('end', this.#onInputEnd)
    this.#input.off('close', this.#onInputEnd)
  }

  /** Waiting requests are given up only when the input, too, has fallen silent. */
  #onOutputGone(reason: Error): void {
    if (this.#state === 'closed') return
    if (!(reason instanceof JsonRpcTransportError)) {
      this.#report({ kind: 'stream-error', stream: 'output', error: reason })
    }
    if (this.#state !== 'open') {
      this.#end(reason)
      return
    }
    if (this.#pending.size === 0) this.#end(reason)
    else this.#silence.await(() => this.#end(reason))
  }

  #end(reason: Error): void {
    if (this.#ended !== undefined) return
    this.#ended = reason
    this.#silence.stop()
    this.#pending.failAll(reason)
    this.#callOnEnd(reason)
  }

  #callOnEnd(reason: Error): void {
    const handler = this.#onEnd
    this.#onEnd = undefined
    try {
      handler?.(reason)
    } catch (error) {
      this.#report({ kind: 'end-handler-failed', error })
    }
  }

  #send(line: Line): boolean {
    return this.#state !== 'closed' && this.#writer.write(line)
  }

  #report(diagnostic: Diagnostic): void {
    try {
      this.#onDiagnostic?.(diagnostic)
    } catch {
      // A hook for looking must not change what happens; it has nobody to tell either.
    }
  }
}

function isAbortSignal(options: AbortSignal | RequestOptions | undefined): options is AbortSignal {
  return options !== undefined && 'aborted' in options
}

function closedError(): JsonRpcTransportError {
  return new JsonRpcTransportError('closed', 'JSON-RPC transport closed')
}

function positive(name: string, value: number): number {
  if (!(value > 0)) throw new RangeError(`${name} must be a positive number, not ${value}`)
  return value
}
