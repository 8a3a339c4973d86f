import type { LabelledTask } from './data.ts'

/** Finds tools: their own names, best first. */
export type Subject = (query: string) => readonly string[]

/** Sums over the queries of some tasks. */
export interface Tally {
  readonly queries: number
  /** Queries with one of the task's tools among the first five. */
  readonly hits: number
  /** Sum of 1 / place of the first such tool among the first ten. */
  readonly reciprocal: number
  /** Sum of the shares of the task's tools among the first ten. */
  readonly recalled: number
}

const FIRST = 5
const SHOWN = 10

function tallyQuery(subject: Subject, query: string, tools: readonly string[]): Tally {
  const found = subject(query).slice(0, SHOWN)
  const place = found.findIndex((name) => tools.includes(name))
  return {
    queries: 1,
    hits: place >= 0 && place < FIRST ? 1 : 0,
    reciprocal: place < 0 ? 0 : 1 / (place + 1),
    recalled: tools.filter((name) => found.includes(name)).length / tools.length,
  }
}

export function add(tallies: readonly Tally[]): Tally {
  const sum = (key: keyof Tally) => tallies.reduce((total, tally) => total + tally[key], 0)
  return { queries: sum('queries'), hits: sum('hits'), reciprocal: sum('reciprocal'), recalled: sum('recalled') }
}

/** What a subject finds for the steps of some tasks, each step a query. */
export function tallySteps(subject: Subject, tasks: readonly LabelledTask[]): Tally {
  return add(tasks.flatMap(({ steps, tools }) => steps.map((step) => tallyQuery(subject, step, tools))))
}

/** What a subject finds for the whole questions. */
export function tallyQuestions(subject: Subject, tasks: readonly LabelledTask[]): Tally {
  return add(
    tasks.flatMap(({ question, tools }) => (question === undefined ? [] : [tallyQuery(subject, question, tools)])),
  )
}

export const hitAt5 = ({ hits, queries }: Tally): number => hits / queries
export const meanReciprocalRank = ({ reciprocal, queries }: Tally): number => reciprocal / queries
export const recallAt10 = ({ recalled, queries }: Tally): number => recalled / queries
