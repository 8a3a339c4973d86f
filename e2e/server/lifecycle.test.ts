import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import {
  changeLivePatch,
  configPatch,
  eventually,
  nodeBinary,
  repositoryRoot,
  startWebHost,
  temporaryHome,
} from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { endpointOf } from './delegate.ts'

interface Endpoint {
  readonly url: string
  readonly token: string
  readonly nonce?: string
}

async function call({ url, token }: Endpoint, name: string, args: object = {}): Promise<Response> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'text/event-stream' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(message) })
}

const token = 'a-fixed-token-for-this-test'

test('a home that cannot be written costs the file, not the endpoint', async () => {
  await using home = await temporaryHome()
  const occupied = join(home.path, 'occupied')
  await writeFile(occupied, 'a file, where a directory would have to be')
  const patches = [configPatch('dsh-mcp-server', { endpointDirectory: occupied, token })]
  await using host = await startWebHost({ home: home.path, plugins: ['server'], patches })
  const answer = await call({ url: `${host.url}/mcp`, token }, 'dsh_get_status')
  expect(answer.status).toBe(200)
  await eventually('a line says so', () => (host.child.stdout() + host.child.stderr()).includes('cannot be written'))
  expect(host.child.stdout() + host.child.stderr()).not.toContain(token)
})

test('a host whose /mcp belongs to another plugin starts, and says so', async () => {
  await using home = await temporaryHome()
  const squatter = join(home.path, 'squatter.mjs')
  await writeFile(
    squatter,
    `export const name = 'squatter'
     export const inject = ['webServer']
     export function apply(ctx) {
       ctx.effect(() => ctx.webServer.register({ kind: 'exact', path: '/mcp', handler: (_, res) => res.end('mine') }))
     }`,
  )
  const patches = [JSON.stringify([{ insert: [{ id: 'squatter', name: squatter }] }])]
  await using host = await startWebHost({ home: home.path, plugins: ['server'], patches })
  const text = await (await fetch(`${host.url}/mcp`)).text()
  const said = (host.child.stdout() + host.child.stderr()).includes('is taken by another plugin')
  // Whichever came first has the path; the other must not stop the host.
  expect([text === 'mine', said]).toEqual([true, true])
})

test('a plugin that is loaded again ends its waiting calls and publishes itself anew, with the same token', async () => {
  await using home = await temporaryHome()
  await using host = await startWebHost({ home: home.path, plugins: ['server'] })
  const before: Endpoint = await endpointOf(home.path)
  const prompt = 'hang'
  const started = await (await call(before, 'dsh_start_session', { cwd: home.path, prompt })).json()
  const { sessionId } = (started as { result: { structuredContent: { sessionId: string } } }).result.structuredContent
  const waiting = call(before, 'dsh_wait_session', { sessionId, timeoutSeconds: 3600 }).then(
    (answer) => answer.text(),
    (error: unknown) => String(error),
  )
  // The host reloads within milliseconds: the wait must have reached the endpoint that is about to end.
  for (let round = 0; round < 5; round++) await (await call(before, 'dsh_get_status', {})).text()
  const config = { endpointDirectory: join(home.path, 'mcp'), instructions: 'Reloaded' }
  const after = await changeLivePatch(
    home.path,
    configPatch('dsh-mcp-server', config),
    'the endpoint is published anew',
    async () => {
      const now: Endpoint = await endpointOf(home.path)
      return now.nonce !== before.nonce && now
    },
  )
  expect(await waiting).toMatch(/service_unavailable: .* Call again with the same arguments/)
  expect({ url: after.url, token: after.token }).toEqual({ url: before.url, token: before.token })
  const status = await call(after, 'dsh_get_session', { sessionId })
  expect(await status.text()).toContain(sessionId)
  expect(host.child.process.exitCode).toBeNull()
}, 120_000)

test('one bridge outlives a crash of the harness and its restart on another port', async () => {
  await using home = await temporaryHome()
  const transport = new StdioClientTransport({
    command: nodeBinary,
    args: [join(repositoryRoot, 'packages/server/bin/dsh-mcp-stdio.mjs')],
    env: { DSH_HOME: home.path },
    stderr: 'ignore',
  })
  const client = new Client({ name: 'lifecycle', version: '1.0.0' })
  try {
    const first = await startWebHost({ home: home.path, plugins: ['server'] })
    try {
      await client.connect(transport)
      expect((await client.listTools()).tools.length).toBeGreaterThan(0)
    } finally {
      await first.kill()
    }
    const left = JSON.parse(await readFile(join(home.path, 'mcp', 'dsh-mcp-endpoint.json'), 'utf8')) as Endpoint
    expect(left.url).toBe(`${first.url}/mcp`)
    await expect(client.listTools(undefined, { cacheMode: 'refresh' })).rejects.toThrow(/ECONNREFUSED|does not answer/)

    await using second = await startWebHost({ home: home.path, plugins: ['server'] })
    expect(second.port).not.toBe(first.port)
    const status = await client.callTool({ name: 'dsh_get_status', arguments: {} })
    expect(status.structuredContent).toMatchObject({ endpoint: { url: `${second.url}/mcp` } })
  } finally {
    await client.close()
  }
})
