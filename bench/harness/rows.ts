/** One line of a bench's result. A row without a goal is context, such as a calibration: it is shown, not judged. */
export interface Row {
  readonly name: string
  /** Rounded for reading; NaN and infinities are refused. */
  readonly value: number
  readonly unit: string
  readonly goal: number | null
  readonly better: 'higher' | 'lower'
  /** Whether the value reaches the goal; `null` without a goal. */
  readonly met: boolean | null
}

/** The goal of {@link goalRow}: a value that must be reached, or one that must not be exceeded. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number }

/**
 * A judged row.
 *
 * @throws RangeError when the value is not a finite number, so that a measurement which failed is never reported as met.
 */
export function goalRow(name: string, value: number, unit: string, goal: Goal): Row {
  const higher = 'atLeast' in goal
  const bound = higher ? goal.atLeast : goal.atMost
  const met = higher ? value >= bound : value <= bound
  return { name, value: finite(name, value), unit, goal: bound, better: higher ? 'higher' : 'lower', met }
}

/** A row that is shown beside the judged ones and has no goal of its own. */
export function contextRow(name: string, value: number, unit: string, better: 'higher' | 'lower' = 'lower'): Row {
  return { name, value: finite(name, value), unit, goal: null, better, met: null }
}

/** The rows as a table for people: one line each, columns aligned, the verdict first. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => [verdictOf(row), row.name, numberOf(row.value), row.unit, goalOf(row)])
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(0, ...cells.map((line) => line[column]!.length)))
  const lines = cells.map((line) =>
    line.map((cell, column) => (column === 2 ? cell.padStart(widths[2]!) : cell.padEnd(widths[column]!))).join('  '),
  )
  const judged = rows.filter((row) => row.goal !== null)
  const reached = judged.filter((row) => row.met === true).length
  return [...lines.map((line) => line.trimEnd()), '', `${reached} of ${judged.length} goals met`].join('\n')
}

/** The rows as the one JSON object that ends a bench's output. */
export function jsonOf(bench: string, rows: readonly Row[]): string {
  return JSON.stringify({ bench, rows: rows.map(rounded) })
}

/** The row with its value as {@link tableOf} shows it. Its verdict was taken on the exact one. */
export function rounded(row: Row): Row {
  return { ...row, value: Number(numberOf(row.value)) }
}

function finite(name: string, value: number): number {
  if (!Number.isFinite(value)) throw new RangeError(`"${name}" was not measured: its value is ${value}`)
  return value
}

function verdictOf(row: Row): string {
  if (row.met === null) return ''
  return row.met ? 'met' : 'MISSED'
}

function goalOf(row: Row): string {
  if (row.goal === null) return ''
  return `(goal ${row.better === 'higher' ? '≥' : '≤'} ${row.goal} ${row.unit})`
}

/** Three significant digits below a thousand, whole numbers above. */
function numberOf(value: number): string {
  if (Math.abs(value) >= 1000) return String(Math.round(value))
  return String(Number(value.toPrecision(3)))
}
