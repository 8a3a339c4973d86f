import { calibrationRows, runParts, type Parts, type Row } from '../../harness/index.ts'
import { betweenProcesses } from './between-processes.ts'
import { inProcess } from './in-process.ts'
import { longLine } from './long-line.ts'
import { memory } from './memory.ts'

/**
 * The SDK transport beside the published one, the stdio buffer of the MCP SDK, split2 with json-rpc-2.0, and
 * vscode-jsonrpc. Arguments choose parts; without any, all of them run (three minutes).
 */
const parts: Parts = {
  'in-process': inProcess,
  'between-processes': betweenProcesses,
  'long-line': longLine,
  memory,
  calibration: calibrationRows,
}

export function run(args: readonly string[]): Promise<readonly Row[]> {
  return runParts(parts, args)
}
