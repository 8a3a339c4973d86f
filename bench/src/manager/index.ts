import { calibrationRows, runParts, type Parts, type Row } from '../../harness/index.ts'
import { fiftyServers } from './fifty-servers.ts'
import { hostStart } from './host-start.ts'
import { memory } from './memory.ts'
import { oneCall } from './one-call.ts'
import { listChanged, projection, registeredCall } from './registered-tools.ts'

/** The manager beside the bare engine, and a host with it beside one without. Arguments choose parts. */
const parts: Parts = {
  'host-start': hostStart,
  'fifty-servers': fiftyServers,
  'one-call': oneCall,
  'registered-call': registeredCall,
  'list-changed': listChanged,
  projection,
  memory,
  calibration: calibrationRows,
}

export function run(args: readonly string[]): Promise<readonly Row[]> {
  return runParts(parts, args)
}
