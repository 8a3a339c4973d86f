import { parseArgs } from 'node:util'
import { contextRow, jsonOf, tableOf } from '../../harness/index.ts'
import { DATA, readCatalogue, readTasks } from './data.ts'
import { exactShares } from './exact.ts'
import { hitAt5, meanReciprocalRank, recallAt10, tallyQuestions, tallySteps } from './quality.ts'
import { ours } from './subjects.ts'
import { misspell } from './typos.ts'

/**
 * `npm run search -- --catalogue FILE --queries FILE [--json]`: what the broker's search finds in any files of the format of
 * `bench/data/tool-search` (by default those). With `--json` the last line is the only one, and one JSON object.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { catalogue: { type: 'string' }, queries: { type: 'string' }, json: { type: 'boolean', default: false } },
  })
  const tools = await readCatalogue(values.catalogue ?? DATA.catalogue)
  const tasks = await readTasks(values.queries ?? DATA.queries)
  const subject = ours(tools)
  const plain = ours(tools, undefined, false)
  const steps = tallySteps(subject, tasks)
  const questions = tallyQuestions(subject, tasks)
  const withTypos = [1, 2, 3, 4].map((seed) => hitAt5(tallySteps(subject, misspell(tasks, seed))))
  const exact = exactShares(tools)
  const rows = [
    contextRow('tools', tools.length, ''),
    contextRow('tasks', tasks.length, ''),
    contextRow('steps', steps.queries, ''),
    ...(steps.queries === 0
      ? []
      : [
          contextRow('steps, hit@5', hitAt5(steps), '', 'higher'),
          contextRow('steps, MRR', meanReciprocalRank(steps), '', 'higher'),
          contextRow('steps, hit@5, aliases off', hitAt5(tallySteps(plain, tasks)), '', 'higher'),
          contextRow(
            'steps with one typo, hit@5',
            withTypos.reduce((sum, value) => sum + value, 0) / withTypos.length,
            '',
            'higher',
          ),
        ]),
    ...(questions.queries === 0
      ? []
      : [
          contextRow('questions, hit@5', hitAt5(questions), '', 'higher'),
          contextRow('questions, recall@10', recallAt10(questions), '', 'higher'),
        ]),
    contextRow('asked by its name: the tool comes first', exact.tools, '', 'higher'),
    contextRow('asked by its name: the server comes first', exact.servers, '', 'higher'),
  ]
  if (!values.json) console.log(`\n${tableOf(rows)}\n`)
  console.log(jsonOf('search', rows))
  return 0
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`search: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
