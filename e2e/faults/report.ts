import type { Outcome } from './fault.ts'

/** Counts of a run. */
export interface Totals {
  readonly tried: number
  readonly survived: number
  readonly dataLost: number
  readonly skipped: number
}

/** Adds outcomes up; what was skipped was not tried. */
export function totalsOf(outcomes: readonly Outcome[]): Totals {
  const count = (result: Outcome['result']): number => outcomes.filter((one) => one.result === result).length
  return {
    tried: outcomes.length - count('skipped'),
    survived: count('survived'),
    dataLost: count('data lost'),
    skipped: count('skipped'),
  }
}

/** One line for one outcome. */
export function lineOf({ fault, point, result, note, ms }: Outcome): string {
  const said = note === undefined ? '' : ` (${note})`
  return `${result.padEnd(9)} ${fault}: ${point}${said} [${(ms / 1000).toFixed(1)} s]`
}

/** The rows of the table: one for each kind of fault, and a last one, `All`, with the sums. */
export function rowsOf(outcomes: readonly Outcome[]): readonly (readonly string[])[] {
  const row = (name: string, { tried, survived, dataLost, skipped }: Totals): string[] => [
    name,
    ...[tried, survived, dataLost, skipped].map(String),
  ]
  const faults = [...new Set(outcomes.map(({ fault }) => fault))]
  return [
    ...faults.map((fault) => row(fault, totalsOf(outcomes.filter((one) => one.fault === fault)))),
    row('All', totalsOf(outcomes)),
  ]
}

/** The heads of the table, as the terminal shows it. */
export const columns = ['Fault', 'Points tried', 'Survived', 'Data lost', 'Skipped'] as const

/** A table in Markdown whose first column holds names and whose other columns hold numbers. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, index) => (index === 0 ? '---' : '--:'))
  return [`| ${head.join(' | ')} |`, `|${rule.join('|')}|`, ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n')
}
