import { DEFAULT_WEIGHTS } from '../../../packages/manager/src/broker/index.ts'
import type { FieldName, SearchableTool, SearchWeights } from '../../../packages/manager/src/broker/index.ts'
import type { LabelledTask } from './data.ts'
import { add, hitAt5, meanReciprocalRank, recallAt10, tallyQuestions, tallySteps } from './quality.ts'
import type { Tally } from './quality.ts'
import { ours } from './subjects.ts'

const SHARES = [0.5, 0.75, 1.35, 2]
const SCALARS = ['saturation', 'coverage', 'alias', 'chineseAlias', 'typo', 'anyFile', 'fileType'] as const

/** The weights, and every set of weights in which one of them is changed a little or a lot. */
export function neighbours(): SearchWeights[] {
  const found = [DEFAULT_WEIGHTS]
  for (const share of SHARES) {
    for (const key of SCALARS) found.push({ ...DEFAULT_WEIGHTS, [key]: DEFAULT_WEIGHTS[key] * share })
    for (const field of Object.keys(DEFAULT_WEIGHTS.fields) as FieldName[]) {
      const { fields } = DEFAULT_WEIGHTS
      const changed = { ...fields[field], weight: fields[field].weight * share }
      found.push({ ...DEFAULT_WEIGHTS, fields: { ...fields, [field]: changed } })
    }
  }
  return found
}

interface Result {
  readonly steps: Tally
  readonly questions: Tally
}

const worth = ({ steps, questions }: Result): number =>
  hitAt5(steps) + meanReciprocalRank(steps) + hitAt5(questions) + recallAt10(questions)

const together = (results: readonly Result[]): Result => ({
  steps: add(results.map(({ steps }) => steps)),
  questions: add(results.map(({ questions }) => questions)),
})

/**
 * Leave one task out: for each task the weights that do best on all the other tasks, judged on that task alone. What this
 * gives is what weights tuned on such tasks give on a task they have not seen.
 */
export function leaveOneOut(tools: readonly SearchableTool[], tasks: readonly LabelledTask[]): Result {
  const byWeights = neighbours().map((weights) => {
    const subject = ours(tools, weights)
    return tasks.map((task) => ({ steps: tallySteps(subject, [task]), questions: tallyQuestions(subject, [task]) }))
  })
  return together(
    tasks.map((_, left) => {
      const trained = byWeights.map((results) => worth(together(results.filter((_, at) => at !== left))))
      return byWeights[trained.indexOf(Math.max(...trained))]![left]!
    }),
  )
}
