import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { nodeBinary } from '@dsh-mcp/testkit'
import type { WebHost } from '@dsh-mcp/testkit'
import type { Proof } from './proof.ts'

async function httpTransport(host: WebHost): Promise<Transport> {
  const file = join(host.home, 'mcp', 'dsh-mcp-endpoint.json')
  const endpoint = JSON.parse(await readFile(file, 'utf8')) as { url: string; token: string }
  return new StreamableHTTPClientTransport(new URL(endpoint.url), {
    requestInit: { headers: { authorization: `Bearer ${endpoint.token}` } },
  })
}

/** The bridge that is installed in a home, whatever form the plugin was installed in. */
export function installedBridge(home: string): string {
  return join(home, 'profiles', 'web', 'node_modules', '@dsh-mcp', 'server', 'bin', 'dsh-mcp-stdio.mjs')
}

function bridgeTransport(host: WebHost, node: string): Transport {
  return new StdioClientTransport({
    command: node,
    args: [installedBridge(host.home)],
    env: { DSH_HOME: host.home },
    stderr: 'pipe',
  })
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: args })
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`)
  return result.structuredContent as Record<string, unknown>
}

/** What a person does who delegates: list the tools, start a session, wait for it, read it. */
async function delegate(client: Client, cwd: string): Promise<string> {
  const { tools } = await client.listTools()
  await call(client, 'dsh_get_status', {})
  const { sessionId, messageId } = await call(client, 'dsh_start_session', {
    cwd,
    prompt: 'say delegated work is done',
  })
  const waited = await call(client, 'dsh_wait_session', { sessionId, messageId, timeoutSeconds: 20 })
  const read = await call(client, 'dsh_read_session', { sessionId })
  const transcript = JSON.stringify(read.items)
  if (!transcript.includes('delegated work is done'))
    throw new Error(`wait: ${JSON.stringify(waited)}, read: ${transcript}`)
  return `${tools.length} tools listed, a session started, awaited and read`
}

function clientProof(name: string, host: WebHost, open: () => Transport | Promise<Transport>): Proof {
  return {
    name,
    async prove() {
      const client = new Client({ name: 'dsh-mcp-check', version: '1.0.0' })
      try {
        await client.connect(await open())
        return await delegate(client, host.home)
      } finally {
        await client.close()
      }
    },
  }
}

/** The harness as MCP server: the official client delegates over HTTP and over the installed stdio bridge, run by `node`. */
export function clientProofs(host: WebHost, node: string = nodeBinary): readonly Proof[] {
  return [
    clientProof('an MCP client delegated over HTTP', host, () => httpTransport(host)),
    clientProof('an MCP client delegated over the stdio bridge', host, () => bridgeTransport(host, node)),
  ]
}
