import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { smallServer } from '@dsh-mcp/testkit'
import { alternate, contextRow, goalRow, type Row } from '../../harness/index.ts'
import { define, openConnections } from './scene.ts'

const count = 50
const atOnce = 8

async function ours(): Promise<number> {
  const set = openConnections()
  const definitions = Array.from({ length: count }, (_, index) => define(`s${index}`, smallServer(`s${index}`, 5)))
  const started = performance.now()
  const connections = definitions.map((definition) => set.start(definition))
  await Promise.all(connections.map((connection) => connection.firstAttempt))
  const took = performance.now() - started
  const bad = connections.filter(({ status, tools }) => status.state !== 'connected' || tools.length !== 5)
  await set.close()
  if (bad.length > 0) throw new Error(`${bad.length} servers did not connect: ${JSON.stringify(bad[0]?.status)}`)
  return took
}

async function engine(): Promise<number> {
  const clients: Client[] = []
  const lists: ReturnType<Client['listTools']>[] = []
  let next = 0
  const started = performance.now()
  const worker = async (): Promise<void> => {
    while (next < count) {
      const { command, args } = smallServer(`s${next++}`, 5)
      const client = new Client({ name: 'bench', version: '0' })
      await client.connect(new StdioClientTransport({ command, args }))
      clients.push(client)
      // As ours does: the next one may start while this one lists.
      lists.push(client.listTools())
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const listed = await Promise.all(lists)
  const took = performance.now() - started
  await Promise.all(clients.map((client) => client.close()))
  if (listed.some(({ tools }) => tools.length !== 5)) throw new Error('not all tools')
  return took
}

/** 50 stdio servers to connected, tools listed, at most 8 starting at once. */
export async function fiftyServers(progress: (text: string) => void): Promise<readonly Row[]> {
  const told = (name: string, work: () => Promise<number>) => async () => {
    const took = await work()
    progress(`50 servers, ${name}: ${Math.round(took)} ms`)
    return took
  }
  const result = await alternate({ ours: told('ours', ours), engine: told('engine', engine) }, 5)
  return [
    contextRow('50 stdio servers to connected, bare engine', result.median('engine'), 'ms'),
    goalRow('50 stdio servers to connected, against the bare engine', result.ratio('ours', 'engine'), '×', {
      atMost: 1.3,
    }),
  ]
}
