/**
 * Runs `work` with a signal that aborts with a `TimeoutError` after `limitMs` milliseconds, or with `signal`. Unlike
 * `AbortSignal.timeout` it leaves no timer when the work has ended.
 */
export async function within<Result>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const limit = new AbortController()
  const timer = setTimeout(
    () => limit.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
    limitMs,
  )
  try {
    return await work(signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]))
  } finally {
    clearTimeout(timer)
  }
}
