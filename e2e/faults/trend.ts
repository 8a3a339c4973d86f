/** One value at one moment, in seconds. */
export interface Sample {
  readonly seconds: number
  readonly value: number
}

/** What a value did over a run. */
export interface Trend {
  /** Median of the first third. */
  readonly start: number
  /** Median of the last third. */
  readonly end: number
  /** Growth from the first sample to the last along the middle slope. */
  readonly growth: number
}

/** The middle of some values: half of them are not above it. */
export function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/**
 * The trend of a series: the median of the slopes between all pairs of samples (Theil–Sen), which a few outliers such as a
 * connection that stands at the moment do not move. Needs three samples or more.
 */
export function trendOf(samples: readonly Sample[]): Trend {
  const [first] = samples
  const last = samples.at(-1)
  if (first === undefined || last === undefined || samples.length < 3) throw new Error('a trend needs three samples')
  const slopes = samples.flatMap((one, index) =>
    samples.slice(index + 1).map((other) => (other.value - one.value) / (other.seconds - one.seconds)),
  )
  const third = Math.ceil(samples.length / 3)
  const of = (part: readonly Sample[]): number => middle(part.map(({ value }) => value))
  return {
    start: of(samples.slice(0, third)),
    end: of(samples.slice(-third)),
    growth: middle(slopes) * (last.seconds - first.seconds),
  }
}
