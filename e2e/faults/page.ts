import { provenance, type Provenance } from '@dsh-mcp/testkit'
import type { Amounts, Figure, Outcome } from './fault.ts'
import { zh } from './page-zh.ts'
import { columns, lineOf, rowsOf, tableOf } from './report.ts'

/** What the page's texts say in a language. */
export interface PageWords {
  readonly title: string
  readonly intro: string
  readonly date: string
  readonly machine: string
  readonly versions: string
  amounts(amounts: Amounts): string
  /** The heads of the table of faults. */
  readonly columns: readonly string[]
  readonly all: string
  faultName(fault: string): string
  readonly load: string
  loadText(outcome: Outcome): string
  readonly loadColumns: readonly string[]
  figureName(what: string): string
  /** What follows the tables. */
  end(outcomes: readonly Outcome[]): string
}

const en: PageWords = {
  title: 'Reliability',
  intro: `Written by \`npm run test:faults -- --report docs/reliability.md\`; do not edit. The suite injects faults into a real
harness with both plugins, real servers, a real authorization server and real MCP clients. A point is survived when, after
it, all of this holds:

- the harness answers, and has written of no error that nobody caught;
- servers, logins and what other programs wrote stand in the state file as they were, and nothing that had been confirmed
  is gone;
- both servers can be called, and the MCP endpoint lists its tools under the token it had;
- one process of the stdio server is left, and no other process of this home but the harness;
- no secret (tokens, keys, values of variables and headers) is in any file but its own, which only its owner may read, in
  any output or in any answer.`,
  date: 'Date',
  machine: 'Machine',
  versions: 'Versions',
  amounts: ({ calls, frames, clients, loadSeconds, seed }) =>
    `Amounts: ${calls} malformed API calls, ${frames} malformed frames, ${clients} clients at once, ${loadSeconds} s of mixed load; seed ${seed}`,
  columns,
  all: 'All',
  faultName: (fault) => fault,
  load: 'Mixed load',
  loadText: ({ note = '' }) =>
    `${note.split(';')[0]}, a crash of the stdio server and a cut of the network among every 25. The first quarter of the time
is warm-up; start and end are medians of the first and the last third of the rest, growth is the middle slope (Theil–Sen)
over that time; of what grew by more than it may, end and growth are of what is left after up to ten seconds of rest. Live objects
are what remains after a garbage collection.`,
  loadColumns: ['Held by the harness', 'Start', 'End', 'Growth', 'Fails above'],
  figureName: (what) => what,
  end: (outcomes) => `## Each point

\`\`\`
${outcomes.map(lineOf).join('\n')}
\`\`\`
`,
}

const amount = (value: number): string => (Math.round(value * 10) / 10).toString()

function loadSection(words: PageWords, outcomes: readonly Outcome[]): string {
  const outcome = outcomes.find(({ figures }) => figures !== undefined)
  if (outcome?.figures === undefined) return ''
  const row = ({ what, start, end, growth, allowed }: Figure): readonly string[] => [
    words.figureName(what),
    ...[start, end, growth, allowed].map(amount),
  ]
  return `## ${words.load}

${words.loadText(outcome)}

${tableOf(words.loadColumns, outcome.figures.map(row))}

`
}

function pageOf(words: PageWords, at: Provenance, outcomes: readonly Outcome[], amounts: Amounts): string {
  const rows = rowsOf(outcomes).map(([fault = '', ...counts]) => [
    fault === 'All' ? words.all : words.faultName(fault),
    ...counts,
  ])
  return `# ${words.title}

${words.intro}

- ${words.date}: ${at.date}
- ${words.machine}: ${at.machine}
- ${words.versions}: ${Object.entries(at.versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')}
- ${words.amounts(amounts)}

${tableOf(words.columns, rows)}

${loadSection(words, outcomes)}${words.end(outcomes)}`
}

/** The page of a run in English and in Chinese. */
export async function pagesOf(
  outcomes: readonly Outcome[],
  amounts: Amounts,
): Promise<{ readonly en: string; readonly zh: string }> {
  const at = await provenance()
  return { en: pageOf(en, at, outcomes, amounts), zh: pageOf(zh, at, outcomes, amounts) }
}
