/** Shortest budget that counts, in milliseconds. */
const shortest = 1_000

/** Longest delay a timer can take (2³¹ − 1 ms, about 24.8 days); a longer budget behaves like this one. */
const longest = 2_147_483_647

/**
 * Reads a budget as people write it: a finite number of at least 1 000, or a numeric string; fractions are cut off and
 * values beyond the timer range shortened to it. Anything else counts as not set.
 */
export function readTimeout(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number) || number < shortest) return undefined
  return Math.min(Math.floor(number), longest)
}
