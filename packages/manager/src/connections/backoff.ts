/** Wait before the n-th retry (from 1) in milliseconds: 3, 6, 12, 24, 48, then 60 s. */
export function retryDelay(attempt: number): number {
  return Math.min(3_000 * 2 ** Math.max(0, attempt - 1), 60_000)
}
