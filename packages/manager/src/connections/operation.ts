import { AsyncLocalStorage } from 'node:async_hooks'

/** The JSON-RPC message an HTTP request carries. */
export interface Operation {
  readonly method: string | undefined
  /** Whether an answer is due. */
  readonly isRequest: boolean
}

const storage = new AsyncLocalStorage<Operation>()

/** Runs `send` so that the requests it makes know what they carry. */
export function duringOperation<T>(operation: Operation, send: () => T): T {
  return storage.run(operation, send)
}

/** What the current request carries; nothing for a stream the engine opened by itself. */
export function currentOperation(): Operation | undefined {
  return storage.getStore()
}
