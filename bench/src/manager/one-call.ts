import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { oddStdio, startEverything } from '@dsh-mcp/testkit'
import { alternate, contextRow, goalRow, median, type Row } from '../../harness/index.ts'
import { define, openConnections } from './scene.ts'

type Call = () => Promise<unknown>

/** Median of one call in microseconds. */
async function p50(call: Call, count: number): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < count; round++) {
    const started = performance.now()
    await call()
    times.push((performance.now() - started) * 1000)
  }
  return median(times)
}

async function compare(name: string, count: number, ours: Call, engine: Call): Promise<readonly Row[]> {
  const result = await alternate({ ours: () => p50(ours, count), engine: () => p50(engine, count) }, 7)
  return [
    contextRow(`one call over ${name}, bare engine, p50`, result.median('engine'), 'µs'),
    goalRow(`one call over ${name}, against the bare engine, p50`, result.ratio('ours', 'engine'), '×', {
      atMost: 1.15,
    }),
  ]
}

/** One call through a connection against the bare engine's `callTool`, each with a server of its own. */
export async function oneCall(progress: (text: string) => void): Promise<readonly Row[]> {
  const set = openConnections()
  const peer = oddStdio()
  await using http = await startEverything()
  const stdioClient = new Client({ name: 'bench', version: '0' })
  const httpClient = new Client({ name: 'bench', version: '0' })
  try {
    progress('one call …')
    await stdioClient.connect(new StdioClientTransport(peer))
    await stdioClient.listTools()
    await httpClient.connect(new StreamableHTTPClientTransport(new URL(http.url)))
    await httpClient.listTools()
    const stdio = set.start(define('stdio', { type: 'stdio', ...peer }))
    const remote = set.start(define('remote', { type: 'http', url: http.url, authMode: 'none' }))
    await Promise.all([stdio.firstAttempt, remote.firstAttempt])
    const text = { text: 'x'.repeat(200) }
    const message = { message: 'x'.repeat(200) }
    return [
      ...(await compare(
        'stdio',
        1_000,
        () => stdio.callTool('echo', text),
        () => stdioClient.callTool({ name: 'echo', arguments: text }),
      )),
      ...(await compare(
        'Streamable HTTP',
        200,
        () => remote.callTool('echo', message),
        () => httpClient.callTool({ name: 'echo', arguments: message }),
      )),
    ]
  } finally {
    await set.close()
    await stdioClient.close()
    await httpClient.close()
  }
}
