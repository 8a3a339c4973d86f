/** One measurement of a subject: milliseconds, operations per second, bytes; whatever the comparison is about. */
export type Measure = () => number | Promise<number>

/** What each subject of a comparison gave, round by round. */
export interface Comparison<Name extends string> {
  readonly samples: Readonly<Record<Name, readonly number[]>>
  /** Median of a subject's samples. */
  median(name: Name): number
  /**
   * Median over the rounds of `name / other`. Both numbers of a pair were measured next to each other, so a load that comes
   * and goes weighs on both.
   */
  ratio(name: Name, other: Name): number
}

/**
 * Measures every subject once per round, in turn, and starts each round with the next subject, so that none always runs
 * first. One round beforehand warms up and is not counted.
 *
 * @param subjects name → measurement
 * @param rounds at least 5
 */
export async function alternate<Name extends string>(
  subjects: Readonly<Record<Name, Measure>>,
  rounds = 5,
  warmups = 1,
): Promise<Comparison<Name>> {
  if (rounds < 5) throw new RangeError('a median needs at least five rounds')
  const names = Object.keys(subjects) as Name[]
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = -warmups; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round + warmups) % names.length]!
      const value = await subjects[name]()
      if (round >= 0) samples[name].push(value)
    }
  }
  return {
    samples,
    median: (name) => median(samples[name]),
    ratio: (name, other) => median(samples[name].map((value, round) => value / samples[other][round]!)),
  }
}

/**
 * The shortest of a few runs right after each other, as one sample: a machine that gives the processor to somebody else in
 * the middle of a short run says nothing about the run. For measures of which less is better.
 */
export function shortestOf(runs: number, measure: Measure): Measure {
  return async () => {
    let shortest = Infinity
    for (let run = 0; run < runs; run++) shortest = Math.min(shortest, await measure())
    return shortest
  }
}

/** The middle value; of an even count, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
