import type { ToolOutcome } from '@dsh-mcp/host'
import { offerTools, type OfferedTools } from '../tools/index.ts'
import { scriptedServers, tool, type ScriptedServers } from '../tools/test-connections.ts'
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
  let states: readonly ServerState[] = []
  const broker = createBroker({
    context: host.context,
    registry: host.registry,
    tools: offered,
    servers: () => states,
    report,
  })
  return {
    ...host,
    servers,
    offered,
    broker,
    reports,
    get states() {
      return states
    },
    set states(next) {
      states = next
    },
  }
}

/** The JSON a broker tool answered with. */
export function answerOf(outcome: ToolOutcome): unknown {
  const [block] = outcome.content
  if (outcome.isError || block?.type !== 'text') throw new Error(`no answer: ${JSON.stringify(outcome)}`)
  return JSON.parse(block.text)
}

/** A bench with one server, of two tools, that repeats what it is asked. */
export async function mailBench(shape?: HostShape): Promise<BrokerBench> {
  const bench = await brokerBench(shape)
  const mail = bench.servers.add('mail')
  mail.answer = (name, args) => ({ content: [{ type: 'text', text: `${name} ${JSON.stringify(args)}` }] })
  mail.list([
    tool('send', { description: 'Send an email to somebody', title: 'Send mail' }),
    tool('list', { description: 'List the messages of a folder' }),
  ])
  return bench
}
