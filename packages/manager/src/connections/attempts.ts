/**
 * Attempts at a connection, one at a time. A new one starts when all that went before has really ended; each has its own
 * abort signal, so whatever a cancelled one still brings can be told and dropped.
 */
export class Attempts {
  #current: AbortController | undefined
  #running: Promise<void> = Promise.resolve()
  #ended: Promise<void> = Promise.resolve()

  /** Settles when everything that was waited for has ended. */
  get ended(): Promise<void> {
    return this.#ended
  }

  /** Holds back the next attempt until `end` has settled. */
  waitFor(end: Promise<void>): void {
    this.#ended = Promise.allSettled([this.#ended, end]).then(() => undefined)
  }

  /** Starts an attempt; `done` settles as `work` does, and rejects when the attempt was cancelled before it began. */
  begin(work: (signal: AbortSignal) => Promise<void>): { readonly signal: AbortSignal; readonly done: Promise<void> } {
    const attempt = new AbortController()
    const { signal } = attempt
    this.#current = attempt
    const done = this.#ended.then(() => {
      signal.throwIfAborted()
      return work(signal)
    })
    this.#running = done
    return { signal, done }
  }

  /** Cancels the attempt under way, if there is one. */
  cancel(): void {
    this.#current?.abort(new Error('superseded'))
    this.#current = undefined
    this.waitFor(this.#running)
  }

  /** Whether the attempt with that signal is still the newest. */
  isCurrent(signal: AbortSignal): boolean {
    return this.#current?.signal === signal
  }
}
