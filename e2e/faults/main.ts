/**
 * `npm run test:faults`: the fault suite in full. Options: `--calls N`, `--frames N`, `--clients N`, `--load-seconds N`,
 * `--seed N`, `--short`, `--report FILE.md` (writes a page with the table, and its Chinese twin FILE.zh-CN.md), and words that choose faults by name. The exit
 * code is 0 when everything was survived and nothing lost.
 */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Outcome } from './fault.ts'
import { pagesOf } from './page.ts'
import { columns, lineOf, rowsOf, tableOf, totalsOf } from './report.ts'
import { beginRun } from './run.ts'
import { faults } from './table/index.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    calls: { type: 'string', default: '2000' },
    frames: { type: 'string', default: '5000' },
    clients: { type: 'string', default: '500' },
    'load-seconds': { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    short: { type: 'boolean', default: false },
    report: { type: 'string' },
  },
})
const amounts = {
  calls: Number(values.calls),
  frames: Number(values.frames),
  clients: Number(values.clients),
  loadSeconds: Number(values['load-seconds']),
  seed: Number(values.seed),
  short: values.short,
}
const chosen = faults.filter(
  ({ fault }) => positionals.length === 0 || positionals.some((word) => fault.includes(word)),
)
console.log(`seed ${amounts.seed}`)
const outcomes: Outcome[] = []
{
  await using run = beginRun(amounts)
  for (const fault of chosen) outcomes.push(...(await run.inject(fault, (outcome) => console.log(lineOf(outcome)))))
}
console.log(`\n${tableOf(columns, rowsOf(outcomes))}`)
if (values.report !== undefined) {
  const pages = await pagesOf(outcomes, amounts)
  await writeFile(values.report, pages.en)
  await writeFile(values.report.replace(/(?:\.md)?$/, '.zh-CN.md'), pages.zh)
}
const { tried, survived } = totalsOf(outcomes)
process.exitCode = tried > 0 && survived === tried ? 0 : 1
