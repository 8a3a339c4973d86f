import { JsonRpcResponseError } from '../errors.ts'
import type { SessionQueryCompletedNotification } from '../types/index.ts'

/**
 * Brings the end of a command, `session.query.completed`, together with its query. The notification may arrive before the
 * query's answer tells the `commandId`, so every completion is kept until it is asked for, at most `limit` of them.
 */
export class QueryCompletions {
  readonly #limit: number
  readonly #arrived = new Map<string, SessionQueryCompletedNotification>()
  readonly #waiting = new Map<string, PromiseWithResolvers<SessionQueryCompletedNotification>>()
  #ended: Error | undefined

  constructor(limit = 1000) {
    this.#limit = limit
  }

  /** To be called with the params of every `session.query.completed`. */
  add(completion: SessionQueryCompletedNotification): void {
    const key = keyOf(completion.sessionId, completion.commandId)
    const waiting = this.#waiting.get(key)
    if (waiting !== undefined) {
      this.#waiting.delete(key)
      waiting.resolve(completion)
      return
    }
    this.#arrived.set(key, completion)
    const [oldest] = this.#arrived.keys()
    if (this.#arrived.size > this.#limit && oldest !== undefined) this.#arrived.delete(oldest)
  }

  /** Resolves with the completion of a command, also when it came already; rejects when {@link end} comes first. */
  of(sessionId: string, commandId: string): Promise<SessionQueryCompletedNotification> {
    const key = keyOf(sessionId, commandId)
    const arrived = this.#arrived.get(key)
    if (arrived !== undefined) {
      this.#arrived.delete(key)
      return Promise.resolve(arrived)
    }
    if (this.#ended !== undefined) return Promise.reject(this.#ended)
    const waiting = this.#waiting.get(key) ?? Promise.withResolvers<SessionQueryCompletedNotification>()
    this.#waiting.set(key, waiting)
    return waiting.promise
  }

  /** The connection ended: no completion will come any more. */
  end(reason: Error): void {
    this.#ended ??= reason
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(reason)
  }
}

function keyOf(sessionId: string, commandId: string): string {
  return JSON.stringify([sessionId, commandId])
}

/**
 * Whether a request failed because the runtime does not know the method, so that an older one can be used: `session/prompt`
 * in place of `session/query`. Published runtimes answer -32603 with
 * `unknown DeepSeek Harness SDK runtime method: session/query`, others -32601.
 */
export function isUnknownMethod(error: unknown, method: string): boolean {
  if (!(error instanceof JsonRpcResponseError)) return false
  if (error.code === -32601) return true
  return error.code === -32603 && error.message.endsWith(`unknown DeepSeek Harness SDK runtime method: ${method}`)
}
