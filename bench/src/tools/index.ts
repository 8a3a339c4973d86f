import { calibrationRows, runParts, type Parts, type Row } from '../../harness/index.ts'
import { listing } from './listing.ts'
import { reading } from './reading.ts'
import { waiting } from './waiting.ts'

/**
 * The tools on a real host: reading a long transcript, listing many sessions, many waits at once. Arguments choose parts;
 * without any, all of them run (about five minutes).
 */
const parts: Parts = {
  reading,
  listing,
  waiting,
  calibration: calibrationRows,
}

export function run(args: readonly string[]): Promise<readonly Row[]> {
  return runParts(parts, args)
}
