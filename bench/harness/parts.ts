import type { Row } from './rows.ts'

/** The parts of a bench by name. Each measures something and says meanwhile how far it is. */
export type Parts = Readonly<Record<string, (progress: (text: string) => void) => Promise<readonly Row[]>>>

/** Runs the parts that `names` chooses, all of them when it is empty; progress goes to standard error. */
export async function runParts(parts: Parts, names: readonly string[]): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const [name, part] of Object.entries(parts)) {
    if (names.length > 0 && !names.includes(name)) continue
    rows.push(...(await part((text) => process.stderr.write(`${text}\n`))))
  }
  return rows
}
