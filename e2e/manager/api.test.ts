import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  eventually,
  everythingStdio,
  startEverything,
  startWebHost,
  temporaryHome,
  type WebHost,
} from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { callManager } from './api-client.ts'

interface View {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly error: string | null
  readonly toolCount: number
  readonly schemaBytes: number | null
  readonly env?: Record<string, string>
  readonly headers?: Record<string, string>
}

const stateOf = async (home: string): Promise<{ servers: Record<string, unknown>[] }> =>
  JSON.parse(await readFile(join(home, 'mcp-manager.json'), 'utf8')) as { servers: Record<string, unknown>[] }

const servers = async (host: WebHost): Promise<readonly View[]> =>
  ((await callManager(host, 'GET', '/api/servers')).body as { servers: View[] }).servers

async function whenConnected(host: WebHost, name: string): Promise<View> {
  return eventually(`server ${name} is connected`, async () =>
    (await servers(host)).find((server) => server.name === name && server.status === 'connected'),
  )
}

test('a script adds, reads, edits, switches and deletes a server', async () => {
  await using home = await temporaryHome()
  await using host = await startWebHost({ home: home.path, plugins: ['manager'] })
  await eventually('the API answers', async () => (await callManager(host, 'GET', '/api/ping')).status === 200)
  expect((await callManager(host, 'GET', '/api/ping')).body).toEqual({
    ok: true,
    version: 4,
    stdio: true,
    workspace: true,
    onDemandTools: true,
  })

  const { command, args } = everythingStdio()
  const created = await callManager(host, 'POST', '/api/servers', {
    body: { name: 'every', type: 'stdio', command, args, env: { SECRET: 'sekrit-value', PLAIN: '${HOME}' } },
  })
  expect(created).toMatchObject({
    status: 201,
    headers: { 'cache-control': 'no-store' },
    body: { server: { name: 'every', env: { SECRET: '••••', PLAIN: '${HOME}' }, enabled: true } },
  })
  const { id } = (created.body as { server: View }).server
  expect(id).toMatch(/^[A-Za-z0-9_-]{11}$/)
  const view = await whenConnected(host, 'every')
  expect(view.toolCount).toBeGreaterThan(5)
  expect(view.schemaBytes).toBeGreaterThan(1000)

  const again = await callManager(host, 'POST', '/api/servers', {
    body: { name: 'every', command: 'x', type: 'stdio' },
  })
  expect(again).toMatchObject({ status: 409, body: { field: 'name' } })

  const edited = await callManager(host, 'PUT', `/api/servers/${id}`, {
    body: { name: 'renamed', type: 'stdio', command, args, env: { SECRET: '••••', NEW: 'n' }, timeout: '1500.7' },
  })
  expect(edited).toMatchObject({
    status: 200,
    body: { server: { name: 'renamed', status: 'connected', timeout: 1500, env: { SECRET: '••••', NEW: '••••' } } },
  })
  expect((await stateOf(home.path)).servers).toMatchObject([{ id, env: { SECRET: 'sekrit-value', NEW: 'n' } }])

  const off = await callManager(host, 'POST', `/api/servers/${id}/enabled`, { body: { enabled: false } })
  expect(off.body).toMatchObject({ server: { enabled: false, status: 'disabled', toolCount: 0 } })
  expect(await callManager(host, 'POST', `/api/servers/${id}/connect`)).toMatchObject({ status: 409 })
  await callManager(host, 'POST', `/api/servers/${id}/enabled`, { body: {} })
  await whenConnected(host, 'renamed')
  expect(await callManager(host, 'POST', `/api/servers/${id}/connect`)).toMatchObject({
    status: 200,
    body: { server: { status: 'connected' } },
  })
  const logs = await callManager(host, 'GET', `/api/servers/${id}/logs`)
  expect(JSON.stringify(logs.body)).toContain('"phase":"initialize"')
  expect(JSON.stringify(logs.body)).not.toContain('sekrit-value')

  expect(await callManager(host, 'DELETE', `/api/servers/${id}`)).toMatchObject({ status: 200, body: { ok: true } })
  expect(await callManager(host, 'DELETE', `/api/servers/${id}`)).toMatchObject({ status: 404 })
  expect(await servers(host)).toEqual([])
  expect((await stateOf(home.path)).servers).toEqual([])
})

test('single tools are listed, tried and switched off everywhere, and stay connected meanwhile', async () => {
  await using home = await temporaryHome()
  await using peer = await startEverything()
  await using host = await startWebHost({ home: home.path, plugins: ['manager'] })
  const created = await callManager(host, 'POST', '/api/servers', {
    body: { name: 'remote', url: peer.url, authMode: 'none' },
  })
  const { id } = (created.body as { server: View }).server
  const { since } = (await whenConnected(host, 'remote')) as View & { since: number }

  const listed = await callManager(host, 'GET', `/api/servers/${id}/tools`)
  const { tools } = listed.body as {
    tools: { name: string; publicName: string; bytes: number; enabled: boolean; quarantined?: string }[]
  }
  expect(tools.find((tool) => tool.name === 'echo')).toMatchObject({ publicName: 'mcp__remote__echo', enabled: true })
  const aside = tools.filter((tool) => tool.quarantined !== undefined)
  // It can be called as a task only.
  expect(aside.map((tool) => tool.name)).toEqual(['simulate-research-query'])
  expect(tools.every((tool) => tool.bytes > 0 || aside.includes(tool))).toBe(true)

  expect(
    (
      await callManager(host, 'POST', `/api/servers/${id}/try`, {
        body: { tool: 'echo', arguments: { message: 'hi' } },
      })
    ).body,
  ).toMatchObject({ isError: false, content: [{ type: 'text', text: 'Echo: hi' }] })
  const image = await callManager(host, 'POST', `/api/servers/${id}/try`, { body: { tool: 'get-tiny-image' } })
  expect(image.body).toMatchObject({
    content: expect.arrayContaining([expect.objectContaining({ mimeType: 'image/png' })]),
  })
  expect(
    (await callManager(host, 'POST', `/api/servers/${id}/try`, { body: { tool: 'echo', arguments: { message: 5 } } }))
      .body,
  ).toMatchObject({ isError: true })
  expect(await callManager(host, 'POST', `/api/servers/${id}/try`, { body: { tool: 'none' } })).toMatchObject({
    status: 404,
  })

  const off = await callManager(host, 'POST', `/api/servers/${id}/tools`, {
    body: { tool: 'mcp__remote__echo', enabled: false },
  })
  expect(off.body).toMatchObject({
    tools: expect.arrayContaining([expect.objectContaining({ name: 'echo', enabled: false })]),
  })
  expect((await stateOf(home.path)).servers).toMatchObject([{ disabledTools: ['echo'] }])
  expect(await whenConnected(host, 'remote')).toMatchObject({ since })
  await callManager(host, 'POST', `/api/servers/${id}/tools`, { body: { tool: 'echo', enabled: true } })
  expect((await stateOf(home.path)).servers[0]).not.toHaveProperty('disabledTools')
})

test('a definition is tried without being stored, and a wrong one says what is wrong', async () => {
  await using home = await temporaryHome()
  await using peer = await startEverything()
  await using host = await startWebHost({ home: home.path, plugins: ['manager'] })
  const good = await callManager(host, 'POST', '/api/servers/test', { body: { url: peer.url, authMode: 'none' } })
  expect(good.body).toMatchObject({ ok: true, status: 'connected', tools: expect.arrayContaining(['echo']) })
  const bad = await callManager(host, 'POST', '/api/servers/test', {
    body: { type: 'stdio', command: 'no-such-program-xyz' },
  })
  expect(bad.body).toMatchObject({ ok: false, status: 'error', reason: expect.stringContaining('no-such-program-xyz') })
  expect(await servers(host)).toEqual([])
  for (const [body, field] of [
    [{ name: 'bad name', url: 'http://x/' }, 'name'],
    [{ name: 'a', url: 'ftp://x/' }, 'url'],
    [{ name: 'a', type: 'stdio' }, 'command'],
    [{ name: 'a', url: 'http://x/', clientSecretEnv: '1x' }, 'clientSecretEnv'],
    [{ name: 'a', url: 'http://x/', oauthGrant: 'password' }, 'oauthGrant'],
    [{ name: 'a', url: 'http://x/', oauthResource: 'no' }, 'oauthResource'],
    [{ name: 'a', url: 'http://x/', privateKeyEnv: '-----BEGIN PRIVATE KEY-----' }, 'privateKeyEnv'],
    [{ name: 'a', url: 'http://x/', privateKeyAlgorithm: 'HS256' }, 'privateKeyAlgorithm'],
    [{ name: 'a', url: 'http://x/', headers: { A: '••••' } }, 'headers'],
  ] as const) {
    expect(await callManager(host, 'POST', '/api/servers', { body })).toMatchObject({ status: 400, body: { field } })
  }
})

test('servers of other programs are previewed without their secrets and imported with them', async () => {
  await using home = await temporaryHome()
  await using host = await startWebHost({ home: home.path, plugins: ['manager'] })
  const text = JSON.stringify({
    mcpServers: {
      files: { command: 'no-such-program-xyz', args: ['a b'], env: { KEY: 'sekrit-value' }, disabled: true },
      bad: { note: 'nothing to start' },
    },
  })
  const preview = await callManager(host, 'POST', '/api/import/preview', { body: { text } })
  expect(preview.body).toMatchObject({
    format: 'mcp-servers',
    entries: [
      { name: 'files', definition: { env: { KEY: '••••' } }, summary: 'no-such-program-xyz a b', taken: false },
      { name: 'bad', problem: expect.stringContaining('neither a command nor a url') },
    ],
  })
  const { entries } = preview.body as { entries: { name: string; definition: object }[] }
  const imported = await callManager(host, 'POST', '/api/import', { body: { entries } })
  expect(imported.body).toMatchObject({
    results: [
      { name: 'files', ok: true },
      { name: 'bad', ok: false },
    ],
  })
  expect((await stateOf(home.path)).servers).toMatchObject([
    { name: 'files', enabled: false, env: { KEY: 'sekrit-value' } },
  ])
  const exported = await callManager(host, 'GET', '/api/export')
  expect(exported.body).toMatchObject({ mcpServers: { files: { env: { KEY: '${KEY}' } } } })
  expect(JSON.stringify(exported.body)).not.toContain('sekrit-value')
})

test('the page follows changes through the event stream', async () => {
  await using home = await temporaryHome()
  await using host = await startWebHost({ home: home.path, plugins: ['manager'] })
  const gone = new AbortController()
  const stream = await fetch(`${host.url}/mcp-manager/api/events`, { signal: gone.signal })
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  let seen = ''
  const reading = (async () => {
    for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) seen += chunk
  })().catch(() => undefined)
  await callManager(host, 'POST', '/api/servers', {
    body: { name: 'x', url: 'http://127.0.0.1:1/mcp', authMode: 'none' },
  })
  await eventually(
    'the stream tells of the failed connection',
    async () => /"kind":"hello"/.test(seen) && /"status":"error"/.test(seen),
  )
  await callManager(host, 'POST', '/api/settings/on-demand', { body: { enabled: true } })
  await eventually('the stream tells of the switch', async () => seen.includes('{"kind":"settings"}'))
  gone.abort()
  await reading
})

test('servers of the built-in client’s rows are shown read-only, without their secrets', async () => {
  await using home = await temporaryHome()
  await using peer = await startEverything()
  const config = {
    serverName: 'own',
    transport: 'streamable-http',
    url: peer.url,
    headers: { 'x-key': 'sekrit-value' },
  }
  const row = JSON.stringify([{ insert: [{ id: 'mcp-own', name: '@deepseek-ai/dsh-mcp-client', config }] }])
  await using host = await startWebHost({ home: home.path, plugins: ['manager'], patches: [row] })
  const shown = await eventually('the row is shown with its tools', async () =>
    (await servers(host)).find((server) => server.name === 'own' && server.toolCount > 0),
  )
  expect(shown).toMatchObject({
    id: 'builtin-mcp-own',
    source: 'builtin',
    status: 'connected',
    headers: { 'x-key': '••••' },
  })
  expect(await callManager(host, 'DELETE', `/api/servers/${shown.id}`)).toMatchObject({ status: 404 })
})
