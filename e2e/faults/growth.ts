import type { Figure } from './fault.ts'
import type { Held, Look } from './held.ts'
import { trendOf } from './trend.ts'

/** What was held at a moment of a load. */
export type LoadSample = Look & { readonly seconds: number }

const units: Readonly<Record<keyof Held, string>> = {
  live: 'MiB of live objects',
  resident: 'MiB resident',
  handles: 'open handles',
  resources: 'active resources',
  processes: 'server processes',
}

/**
 * What may grow from the end of the warm-up to the end of the load, and why not less. A leak of one object or handle for
 * each call is beyond it by far: an hour holds some 100 000 calls.
 */
const allowed: Readonly<Record<keyof Held, (start: number) => number>> = {
  // Live objects go up and down with what is under way at the moment of the look, by 1 to 3 MiB.
  live: () => 8,
  // Memory that was freed stays with the process's allocator for a while.
  resident: (start) => start * 0.2 + 16,
  // The seven calls of a round may have their connections open.
  handles: () => 8,
  resources: () => 8,
  processes: () => 0,
}

/** The shortest load whose memory says something, in seconds; in less the engine is still compiling. */
const memorySeconds = 60

const watched = (loadSeconds: number): readonly (keyof Held)[] =>
  loadSeconds < memorySeconds
    ? ['handles', 'resources', 'processes']
    : ['live', 'resident', 'handles', 'resources', 'processes']

/** The figures of a load of `loadSeconds`. The first quarter of the samples is warm-up: caches, compiled code. */
export function figuresOf(samples: readonly LoadSample[], loadSeconds: number): readonly Figure[] {
  const warm = samples.slice(Math.floor(samples.length / 4))
  return watched(loadSeconds).map((key) => {
    const trend = trendOf(warm.map((sample) => ({ seconds: sample.seconds, value: sample[key] })))
    return { what: units[key], ...trend, allowed: allowed[key](trend.start) }
  })
}

/** Whether something grew by more than it may. */
export const grew = ({ growth, allowed: most }: Figure): boolean => growth > most

/**
 * The figures with what grew judged by what is left of it after a rest: connections kept for the next call and memory of
 * calls that have ended go in that time, a leak stays.
 */
export function afterRest(figures: readonly Figure[], rest: Held): readonly Figure[] {
  const left = new Map((Object.keys(units) as (keyof Held)[]).map((key) => [units[key], rest[key]]))
  return figures.map((figure) => {
    const end = left.get(figure.what)
    return grew(figure) && end !== undefined ? { ...figure, end, growth: end - figure.start } : figure
  })
}

/** Which kinds of active resources there are more of than before, for the one who looks for a leak. */
export function moreOf(before: Look, after: Look): string {
  return Object.entries(after.kinds)
    .map(([kind, count]) => ({ kind, more: count - (before.kinds[kind] ?? 0) }))
    .filter(({ more }) => more > 0)
    .map(({ kind, more }) => `${kind} +${more}`)
    .join(', ')
}
