/** Time as the flow sees it; a seam for tests. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Runs `work` after `ms`; returns the way to cancel. Never keeps the process alive. */
  after(ms: number, work: () => void): () => void
}

/** The system's clock. */
export const systemClock: Clock = {
  now: Date.now,
  after(ms, work) {
    const timer = setTimeout(work, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
