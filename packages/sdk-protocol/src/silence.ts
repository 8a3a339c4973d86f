/** How long the input may be silent before it counts as silent for good, in milliseconds. */
const GRACE_MS = 200

/**
 * Waits until nothing more is heard. A process that exits after its last answer takes its stdin down before that answer has
 * been read: what still comes in is worth waiting for.
 */
export class Silence {
  #heard = false
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Something came in. */
  heard(): void {
    this.#heard = true
  }

  /** Calls `onSilent` once, when nothing has been heard for a while from now on. */
  await(onSilent: () => void): void {
    const check = (settling: boolean): void => {
      if (this.#heard) arm(GRACE_MS, false)
      else if (!settling) arm(1, true)
      else onSilent()
    }
    // The second, short timer lets the event loop read what arrived while it was busy.
    const arm = (ms: number, settling: boolean): void => {
      this.#heard = false
      this.#timer = setTimeout(() => check(settling), ms)
    }
    arm(GRACE_MS, false)
  }

  /** Waits no more. */
  stop(): void {
    clearTimeout(this.#timer)
  }
}
