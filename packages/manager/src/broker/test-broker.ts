import type { ToolOutcome } from '@dsh-mcp/host'
import { offerTools, type OfferedTools } from '../tools/index.ts'
import { scriptedServers, type ScriptedServers } from '../tools/test-connections.ts'
import { createBroker, type Broker } from './broker.ts'
import type { ServerState } from './empty-answer.ts'
import { testHost, type HostShape, type TestHost } from './test-host.ts'

/** A broker over scripted servers on one shape of host. */
export interface BrokerBench extends TestHost {
  readonly servers: ScriptedServers
  readonly offered: OfferedTools
  readonly broker: Broker
  readonly reports: string[]
  /** What search tells of servers; empty until set. */
  states: readonly ServerState[]
}

export async function brokerBench(
  shape?: HostShape,
  service: (name: string) => unknown = () => undefined,
): Promise<BrokerBench> {
  const host = await testHost(shape)
  const servers = scriptedServers()
  const reports: string[] = []
  const report = (message: string): void => void reports.push(message)
  const offered = offerTools({
    connections: servers.connections,
    registry: host.registry,
    service,
    report,
  })
  const bench: BrokerBench = { ...host, servers, offered, reports, states: [], broker: undefined as never }
  const broker = createBroker({
    context: host.context,
    registry: host.registry,
    tools: offered,
    servers: () => bench.states,
    report,
  })
  return Object.assign(bench, { broker })
}

/** The JSON a broker tool answered with. */
export function answerOf(outcome: ToolOutcome): unknown {
  const [block] = outcome.content
  if (outcome.isError || block?.type !== 'text') throw new Error(`no answer: ${JSON.stringify(outcome)}`)
  return JSON.parse(block.text)
}
