import { calibrationRows } from '../../harness/index.ts'
import type { Row } from '../../harness/index.ts'
import { bridge } from './bridge.ts'
import { throughput } from './throughput.ts'
import { waits } from './waits.ts'

const parts: Record<string, (progress: (text: string) => void) => Promise<readonly Row[]>> = {
  throughput,
  bridge,
  waits,
  calibration: calibrationRows,
}

/**
 * The endpoint beside the official handler, the bridge beside mcp-remote, and what a waiting call costs. Arguments choose
 * parts; without any, all of them run.
 */
export async function run(args: readonly string[]): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const [name, part] of Object.entries(parts)) {
    if (args.length > 0 && !args.includes(name)) continue
    rows.push(...(await part((text) => process.stderr.write(`${text}\n`))))
  }
  return rows
}
