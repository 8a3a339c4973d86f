/** How often to look, in milliseconds. */
const intervalMs = 2_000

/**
 * Calls `gone` when the process that started this one has ended. Its end usually closes the input too, but not where
 * another process holds the other end of the pipe.
 */
export function watchParent(gone: () => void): void {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent || !isAlive(parent)) gone()
  }, intervalMs).unref()
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process lives all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
