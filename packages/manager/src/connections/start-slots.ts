/** A slot is given up after this long even if the start goes on, so that silent servers hold nobody up. */
const longestHoldMs = 5_000

/** Lets a limited number of servers start at once. */
export interface StartSlots {
  /** Waits for a slot; the result gives it back. Rejects when `signal` aborts. */
  take(signal: AbortSignal): Promise<() => void>
}

/** `count` slots. */
export function createStartSlots(count: number): StartSlots {
  let free = count
  const waiting: (() => void)[] = []

  function give(): void {
    const next = waiting.shift()
    if (next === undefined) free++
    else next()
  }

  function hold(): () => void {
    let held = true
    const release = (): void => {
      if (!held) return
      held = false
      clearTimeout(timer)
      give()
    }
    const timer = setTimeout(release, longestHoldMs)
    timer.unref()
    return release
  }

  return {
    async take(signal) {
      signal.throwIfAborted()
      if (free > 0) {
        free--
        return hold()
      }
      await new Promise<void>((resolve, reject) => {
        const proceed = (): void => {
          signal.removeEventListener('abort', abandon)
          resolve()
        }
        const abandon = (): void => {
          waiting.splice(waiting.indexOf(proceed), 1)
          reject(signal.reason as Error)
        }
        waiting.push(proceed)
        signal.addEventListener('abort', abandon, { once: true })
      })
      return hold()
    },
  }
}
