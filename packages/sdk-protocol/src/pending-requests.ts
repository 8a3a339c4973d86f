import { JsonRpcResponseError, JsonRpcTransportError } from './errors.ts'

export interface RequestOptions {
  /** Gives the request up on this side: nothing is sent to the peer, and a late answer is dropped. */
  readonly signal?: AbortSignal | undefined
  /** Longest wait for the answer in milliseconds; none by default. */
  readonly timeoutMs?: number | undefined
}

/** A longer timer would fire at once (HTML, timers: the delay is a signed 32-bit number); such a limit is none. */
const LONGEST_TIMER_MS = 2_147_483_647

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
  readonly detach: (() => void) | undefined
}

/** Requests that wait for their answers. Each settles exactly once, and leaves nothing behind. */
export class PendingRequests {
  readonly #limit: number
  readonly #waiting = new Map<string | number, Waiting>()

  /** @param limit how many may wait at a time */
  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#waiting.size
  }

  /** Why one more cannot wait; `undefined` while there is room. */
  get refusal(): JsonRpcTransportError | undefined {
    return this.#waiting.size < this.#limit ? undefined : tooManyPending(this.#limit)
  }

  /** Registers a request before it is sent. */
  add(id: string, method: string, options: RequestOptions | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const detach = options === undefined ? undefined : this.#watch(id, method, options)
      this.#waiting.set(id, { resolve, reject, detach })
    })
  }

  /** The answer arrived. An `error` that is set wins over `result`. Returns false when nobody waits for that id. */
  answer(id: string | number, error: unknown, result: unknown): boolean {
    const waiting = this.#take(id)
    if (waiting === undefined) return false
    if (error === undefined || error === null || error === false || error === 0 || error === '') waiting.resolve(result)
    else waiting.reject(responseError(error))
    return true
  }

  /** Rejects the request with that id, if one waits. */
  fail(id: string | number, error: Error): void {
    this.#take(id)?.reject(error)
  }

  failAll(error: Error): void {
    for (const id of this.#waiting.keys()) this.fail(id, error)
  }

  #take(id: string | number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return undefined
    this.#waiting.delete(id)
    waiting.detach?.()
    return waiting
  }

  #watch(id: string, method: string, { signal, timeoutMs }: RequestOptions): () => void {
    const onAbort = (): void => {
      this.fail(id, abortError(signal?.reason))
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    const timer =
      timeoutMs === undefined || timeoutMs > LONGEST_TIMER_MS
        ? undefined
        : setTimeout(() => this.fail(id, timeoutError(method, timeoutMs)), timeoutMs)
    return () => {
      signal?.removeEventListener('abort', onAbort)
      clearTimeout(timer)
    }
  }
}

/** The error that a given-up request rejects with: the signal's reason, wrapped when it is not an `Error`. */
export function abortError(reason: unknown): Error {
  if (reason instanceof Error) return reason
  return new JsonRpcTransportError('aborted', `JSON-RPC request aborted: ${String(reason)}`, { cause: reason })
}

function tooManyPending(limit: number): JsonRpcTransportError {
  return new JsonRpcTransportError(
    'too-many-pending',
    `${limit} requests wait for an answer already; this one was not sent`,
  )
}

function timeoutError(method: string, timeoutMs: number): Error {
  return new JsonRpcTransportError('timeout', `no answer to ${method} within ${timeoutMs} ms`)
}

/** Reads the `error` member. One that is not an object is an error all the same, with itself as its data. */
function responseError(error: unknown): JsonRpcResponseError {
  if (typeof error !== 'object' || error === null) {
    return new JsonRpcResponseError(undefined, typeof error === 'string' ? error : 'JSON-RPC error', error)
  }
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
  return new JsonRpcResponseError(
    typeof code === 'number' ? code : undefined,
    typeof message === 'string' ? message : 'JSON-RPC error',
    data,
  )
}
