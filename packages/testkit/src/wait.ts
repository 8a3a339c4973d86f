import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Asks `probe` until it returns something other than `undefined` or `false`, every 50 ms, and resolves with it. Rejects
 * after `timeoutMs` (default 30 000) with `what` and the last error, if any.
 */
export async function eventually<Value>(
  what: string,
  probe: () => Value | undefined | false | Promise<Value | undefined | false>,
  timeoutMs = 30_000,
): Promise<Value> {
  const deadline = performance.now() + timeoutMs
  let last: unknown
  for (;;) {
    try {
      const value = await probe()
      if (value !== undefined && value !== false) return value
    } catch (error) {
      last = error
    }
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`, { cause: last })
    await sleep(50)
  }
}
