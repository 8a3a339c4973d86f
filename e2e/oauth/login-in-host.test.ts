import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  eventually,
  runHeadless,
  startAuthorizationServer,
  startProtectedServer,
  startWebHost,
  temporaryHome,
} from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { callManager } from '../manager/api-client.ts'

interface View {
  readonly servers: readonly { readonly status: string; readonly toolCount: number; readonly error: string | null }[]
}

const id = 'Qk3vW0aZ9-x'

test('a login through the callback route of the real host', async () => {
  await using home = await temporaryHome()
  await using provider = await startAuthorizationServer()
  await using target = await startProtectedServer({
    authorizationServers: [provider.origin],
    challengeScope: 'mcp:read',
  })
  const servers = [{ id, name: 'demo', type: 'http', url: target.url }]
  await writeFile(join(home.path, 'mcp-manager.json'), JSON.stringify({ servers }))
  await using host = await startWebHost({ home: home.path, plugins: ['manager'] })
  const status = async () => ((await callManager(host, 'GET', '/api/servers')).body as View).servers[0]
  await eventually('the server waits for a login', async () => (await status())?.status === 'needs-auth')

  const begun = await callManager(host, 'POST', `/api/servers/${id}/auth`)
  expect(begun.status, JSON.stringify(begun.body)).toBe(200)
  const { authorizeUrl } = begun.body as { authorizeUrl: string }
  expect((await status())?.status).toBe('authorizing')
  const callback = await provider.login(authorizeUrl)
  expect(callback.origin).toBe(`http://127.0.0.1:${host.port}`)

  const page = await fetch(callback, { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' } })
  expect(page.status).toBe(200)
  const html = await page.text()
  expect(html).toContain('登录成功')
  expect(html).toContain('Logged in')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  await eventually('the server is connected', async () => (await status())?.status === 'connected')

  const again = await (await fetch(callback)).text()
  expect(again).toContain('This login has expired')
  expect((await status())?.status).toBe('connected')
  const logs = JSON.stringify((await callManager(host, 'GET', `/api/servers/${id}/logs`)).body)
  expect(logs).toContain('token-exchange')
  expect(logs).not.toContain(callback.searchParams.get('code'))
  expect(logs).not.toContain(callback.searchParams.get('state'))

  // A second host on the same home, while the first runs: it renews the login, and the first takes the result.
  target.expireTokens()
  const run = await runHeadless({ home: home.path, plugins: ['manager'], task: 'call mcp__demo__whoami {}' })
  expect(run.stdout, run.stderr).toContain('scopes: mcp:read')
  const refreshes = () => provider.tokenRequests.filter(({ grant }) => grant === 'refresh_token')
  expect(refreshes()).toMatchObject([{ ok: true }])
  const reconnected = await callManager(host, 'POST', `/api/servers/${id}/connect`)
  expect(reconnected.body).toMatchObject({ server: { status: 'connected', oauth: { needsReauth: false } } })
  expect(refreshes()).toHaveLength(1)
  const view = JSON.stringify(reconnected.body)
  const state = JSON.parse(await readFile(join(home.path, 'mcp-manager.json'), 'utf8')) as {
    servers: { oauth: { tokens: Record<string, unknown> } }[]
  }
  const secrets = Object.values(state.servers[0]!.oauth.tokens).filter((value) => typeof value === 'string')
  expect(secrets.length).toBeGreaterThanOrEqual(2)
  for (const secret of secrets.filter((value) => value.length > 20)) expect(view).not.toContain(secret)
}, 180_000)
