import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { VersionNegotiationMode } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as ClientOf1x } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioOf1x } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpOf1x } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { nodeBinary, repositoryRoot, startChild, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import type { TemporaryHome, WebHost } from '@dsh-mcp/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tools as catalogue } from '../../packages/server/src/tools/index.ts'
import { endpointOf } from './delegate.ts'

let home: TemporaryHome
let host: WebHost
let url: string
let token: string

beforeAll(async () => {
  home = await temporaryHome()
  host = await startWebHost({ home: home.path, plugins: ['server'] })
  ;({ url, token } = await endpointOf(home.path))
}, 120_000)

afterAll(async () => {
  await host.stop()
  await home[Symbol.asyncDispose]()
})

const info = { name: 'e2e-clients', version: '1.0.0' }
const modules = join(repositoryRoot, 'e2e', 'node_modules')
const bridgeArgs = () => [join(repositoryRoot, 'packages/server/bin/dsh-mcp-stdio.mjs')]
const mcpRemoteArgs = () => [
  join(modules, 'mcp-remote/dist/proxy.js'),
  url,
  '--allow-http',
  '--header',
  `Authorization: Bearer ${token}`,
]
const stdio = (args: readonly string[]) => ({
  command: nodeBinary,
  args: [...args],
  // mcp-remote keeps its state below the user's home.
  env: { DSH_HOME: home.path, HOME: home.path, MCP_REMOTE_CONFIG_DIR: join(home.path, 'mcp-remote') },
  stderr: 'ignore' as const,
})

const carriers = {
  'over HTTP': () =>
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  'over the bridge': () => new StdioClientTransport(stdio(bridgeArgs())),
  'over mcp-remote': () => new StdioClientTransport(stdio(mcpRemoteArgs())),
}

const eras = {
  'as 2025-11-25': ['legacy', '2025-11-25'],
  'as 2026-07-28': [{ pin: '2026-07-28' }, '2026-07-28'],
  'as it finds it': ['auto', '2026-07-28'],
} satisfies Record<string, [VersionNegotiationMode, string]>

const combinations = Object.entries(carriers).flatMap(([carrier, open]) =>
  Object.entries(eras).map(([era, [mode, version]]) => ({ carrier, era, open, mode, version })),
)

test.each(combinations)('the official client 2.x $carrier $era', async ({ open, mode, version, carrier }) => {
  const client = new Client(info, { versionNegotiation: { mode } })
  await client.connect(open())
  try {
    // mcp-remote opens towards the server by itself and speaks the older era to its own client.
    if (carrier !== 'over mcp-remote') expect(client.getNegotiatedProtocolVersion()).toBe(version)
    expect(client.getServerVersion()?.name).toBe('dsh-mcp-server')
    expect(client.getInstructions()).toContain('dsh_start_session')
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(catalogue.length)
    const status = await client.callTool({ name: 'dsh_get_status', arguments: {} })
    expect(status.structuredContent).toMatchObject({ plugin: { name: 'dsh-mcp-server' } })
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['dsh://status', 'dsh://sessions'])
    const { contents } = await client.readResource({ uri: 'dsh://status' })
    expect(contents).toHaveLength(1)
    await expect(client.callTool({ name: 'no_such_tool' })).rejects.toThrow(/unknown tool/i)
  } finally {
    await client.close()
  }
})

test.each([
  ['over HTTP', () => new HttpOf1x(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } })],
  ['over the bridge', () => new StdioOf1x(stdio(bridgeArgs()))],
])('the official client 1.32 %s', async (_, open) => {
  const client = new ClientOf1x(info)
  await client.connect(open())
  try {
    await client.ping()
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(catalogue.length)
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['dsh://session/{sessionId}'])
    const status = await client.callTool({ name: 'dsh_get_status', arguments: {} })
    expect(status.isError).not.toBe(true)
    await expect(client.readResource({ uri: 'dsh://nowhere' })).rejects.toMatchObject({ code: -32002 })
  } finally {
    await client.close()
  }
})

const inspectorEras = ['legacy', 'modern', 'auto'].flatMap((era) => [
  { era, carrier: 'over HTTP' },
  { era, carrier: 'over the bridge' },
])

test.each(inspectorEras)('the Inspector lists the tools strictly $carrier, era $era', async ({ era, carrier }) => {
  const inspector = join(modules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js')
  const overHttp = ['--server-url', url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`]
  const overBridge = ['-e', `DSH_HOME=${home.path}`, nodeBinary, ...bridgeArgs()]
  const target = carrier === 'over HTTP' ? overHttp : overBridge
  const how = ['--method', 'tools/list', '--strict', '--format', 'json', '--protocol-era', era]
  await using child = startChild(nodeBinary, [inspector, '--cli', ...target, ...how], {
    env: { ...process.env, HOME: home.path, MCP_CATALOG_PATH: join(home.path, 'catalog.json') },
    input: '',
  })
  const { code } = await child.exited
  expect(child.stderr()).not.toMatch(/error-severity|portability/i)
  expect(code, child.stderr()).toBe(0)
  const listed = JSON.parse(child.stdout()) as { readonly tools?: unknown[]; readonly result?: { tools: unknown[] } }
  expect(listed.tools ?? listed.result?.tools).toHaveLength(catalogue.length)
})

test('a handshake without a session header sees all tools', async () => {
  const post = async (message: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) })
    expect(response.headers.get('mcp-session-id')).toBeNull()
    return response
  }
  await post({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: info },
  })
  expect((await post({ method: 'notifications/initialized' })).status).toBe(202)
  const { result } = (await (await post({ id: 2, method: 'tools/list' })).json()) as { result: { tools: unknown[] } }
  expect(result.tools).toHaveLength(catalogue.length)
})
