import { isGone } from '../is-gone.ts'

/** How often to look, in milliseconds. */
const intervalMs = 2_000

/**
 * Calls `gone` when the process that started this one has ended. Its end usually closes the input too, but not where
 * another process holds the other end of the pipe.
 */
export function watchParent(gone: () => void): void {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent || isGone(parent)) gone()
  }, intervalMs).unref()
}
