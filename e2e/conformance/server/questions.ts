import type { JsonValue, Questions } from '../../../packages/server/src/gateway/index.ts'

/** Requests from the server to the client, answered by posted responses (2024-11-05 … 2025-11-25). */
export function createQuestions(): Questions {
  const open = new Map<JsonValue, { resolve(result: JsonValue): void; reject(error: Error): void }>()
  let last = 0
  return {
    ask(send, method, params, signal) {
      const id = `question-${++last}`
      return new Promise<JsonValue>((resolve, reject) => {
        const settle = (): void => {
          open.delete(id)
          signal.removeEventListener('abort', onAbort)
        }
        const onAbort = (): void => {
          settle()
          reject(signal.reason as Error)
        }
        open.set(id, {
          resolve: (result) => {
            settle()
            resolve(result)
          },
          reject: (error) => {
            settle()
            reject(error)
          },
        })
        signal.addEventListener('abort', onAbort)
        if (!send({ jsonrpc: '2.0', id, method, params })) onAbort()
      })
    },
    answer(id, message) {
      const question = open.get(id)
      if (question === undefined) return false
      const { result, error } = message
      if (result === undefined) question.reject(new Error(`the client answered ${JSON.stringify(error)}`))
      else question.resolve(result)
      return true
    },
  }
}
