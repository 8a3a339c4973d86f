import type { Fault } from '../fault.ts'
import { bridgeNetwork } from './bridge-network.ts'
import { clients } from './clients.ts'
import { clocks } from './clocks.ts'
import { disk } from './disk.ts'
import { files } from './files.ts'
import { kills } from './kills.ts'
import { loads } from './loads.ts'
import { logins } from './logins.ts'
import { malformedApi } from './malformed-api.ts'
import { malformedMcp } from './malformed-mcp.ts'
import { networks } from './network.ts'
import { sessions } from './sessions.ts'
import { slowDisks } from './slow-disk.ts'
import { together } from './together.ts'

/** Every fault the product must survive. */
export const faults: readonly Fault[] = [
  ...kills,
  ...logins,
  ...sessions,
  ...files,
  ...disk,
  ...slowDisks,
  ...networks,
  ...bridgeNetwork,
  ...clocks,
  ...together,
  ...malformedApi,
  ...malformedMcp,
  ...clients,
  ...loads,
]
