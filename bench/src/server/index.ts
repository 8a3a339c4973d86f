import { calibrationRows, runParts, type Parts, type Row } from '../../harness/index.ts'
import { bridge } from './bridge.ts'
import { throughput } from './throughput.ts'
import { waits } from './waits.ts'

const parts: Parts = {
  throughput,
  bridge,
  waits,
  calibration: calibrationRows,
}

/**
 * The endpoint beside the official handler, the bridge beside mcp-remote, and what a waiting call costs. Arguments choose
 * parts; without any, all of them run.
 */
export function run(args: readonly string[]): Promise<readonly Row[]> {
  return runParts(parts, args)
}
