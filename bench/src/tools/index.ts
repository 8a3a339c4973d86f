import { calibrationRows } from '../../harness/index.ts'
import type { Row } from '../../harness/index.ts'
import { listing } from './listing.ts'
import { reading } from './reading.ts'
import { waiting } from './waiting.ts'

/**
 * The tools on a real host: reading a long transcript, listing many sessions, many waits at once. Arguments choose parts;
 * without any, all of them run (about five minutes).
 */
const parts: Record<string, (progress: (text: string) => void) => Promise<readonly Row[]>> = {
  reading,
  listing,
  waiting,
  calibration: calibrationRows,
}

export async function run(args: readonly string[]): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const [name, part] of Object.entries(parts)) {
    if (args.length > 0 && !args.includes(name)) continue
    rows.push(...(await part((text) => process.stderr.write(`${text}\n`))))
  }
  return rows
}
