/** Wait before the n-th retry (from 1) in milliseconds: 3, 6, 12, 24, 48, then 60 s. */
export function retryDelay(attempt: number): number {
  return Math.min(3_000 * 2 ** Math.max(0, attempt - 1), 60_000)
}

/** The retries of one server: each comes after a longer wait than the one before, until one succeeds. */
export class Retries {
  #failures = 0
  #timer: NodeJS.Timeout | undefined

  /** Runs `attempt` after the wait that is due. Returns when that is, in epoch milliseconds. */
  schedule(attempt: () => void): number {
    const delay = retryDelay(++this.#failures)
    this.#timer = setTimeout(attempt, delay)
    this.#timer.unref()
    return Date.now() + delay
  }

  cancel(): void {
    clearTimeout(this.#timer)
  }

  /** The next wait is the shortest one again. */
  startOver(): void {
    this.#failures = 0
  }
}
