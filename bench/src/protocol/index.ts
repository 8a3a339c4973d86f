import { calibrationRows, type Row } from '../../harness/index.ts'
import { betweenProcesses } from './between-processes.ts'
import { inProcess } from './in-process.ts'
import { longLine } from './long-line.ts'
import { memory } from './memory.ts'

/**
 * The SDK transport beside the published one, the stdio buffer of the MCP SDK, split2 with json-rpc-2.0, and
 * vscode-jsonrpc. Arguments choose parts; without any, all of them run (three minutes).
 */
const parts: Record<string, (progress: (text: string) => void) => Promise<readonly Row[]>> = {
  'in-process': inProcess,
  'between-processes': betweenProcesses,
  'long-line': longLine,
  memory,
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
