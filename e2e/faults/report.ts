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

/** The table: one row for each kind of fault, and a last one with the sums. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = [['Fault', 'Points tried', 'Survived', 'Data lost', 'Skipped']]
  const row = (name: string, { tried, survived, dataLost, skipped }: Totals): string[] => [
    name,
    ...[tried, survived, dataLost, skipped].map(String),
  ]
  for (const fault of new Set(outcomes.map((one) => one.fault))) {
    rows.push(row(fault, totalsOf(outcomes.filter((one) => one.fault === fault))))
  }
  rows.push(row('All', totalsOf(outcomes)))
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`)
  return [lines[0], '|---|--:|--:|--:|--:|', ...lines.slice(1)].join('\n')
}
