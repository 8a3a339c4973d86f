import { freePort, launchBrowser, startAuthorizationServer, startProtectedServer } from '@dsh-mcp/testkit'
import type { AuthorizationServer, ProtectedServer } from '@dsh-mcp/testkit'
import { callManager } from '../manager/api-client.ts'
import { oauthMessages } from '../../packages/manager/src/oauth/messages.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { closeTabs, openMcpPage, startScene, type McpPage, type Scene } from './mcp-page.ts'

let scene: Scene
let provider: AuthorizationServer
let target: ProtectedServer

beforeAll(async () => {
  scene = await startScene()
  provider = await startAuthorizationServer()
  target = await startProtectedServer({
    authorizationServers: [provider.origin],
    challengeScope: 'mcp:read',
    toolScopes: { publish: 'mcp:write' },
  })
})
afterEach(() => closeTabs(scene))
afterAll(async () => {
  await scene[Symbol.asyncDispose]()
  await target[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

type Tab = McpPage['page']

/** Presses a login button and gives the tab that opens. */
async function openLogin(mcp: McpPage, label: 'authenticate' | 'reauthenticate' | 'grant'): Promise<Tab> {
  const button = mcp
    .card('demo')
    .getByRole('button', { name: mcp.t(label), exact: true })
    .first()
  const [tab] = await Promise.all([mcp.page.context().waitForEvent('page'), button.click()])
  await tab.waitForURL(`${provider.origin}/**`)
  return tab
}

/** Signs in and consents at the provider's own pages, until the browser is back at the host. */
async function consent(tab: Tab): Promise<void> {
  const back = (url: URL): boolean => url.origin === scene.host.url
  for (let step = 0; step < 4 && !back(new URL(tab.url())); step++) {
    const login = tab.locator('input[name="login"]')
    if ((await login.count()) > 0) {
      await login.fill('somebody')
      await tab.locator('input[name="password"]').fill('x')
    }
    await Promise.all([tab.waitForEvent('load'), tab.locator('button[type="submit"]').click()])
  }
  await tab.waitForURL(back)
}

test('a login goes through the provider and back, and the tools appear without a reload', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const { t } = mcp
  await mcp.press(t('addServer'))
  await mcp.field(t('fieldName')).fill('demo')
  await mcp.field(t('fieldUrl')).fill(target.url)
  await mcp.press(t('save'))
  await mcp.badge('demo', t('statusNeedsAuth'))
  expect(await mcp.violations()).toEqual([])

  const tab = await openLogin(mcp, 'authenticate')
  await mcp.badge('demo', t('statusAuthorizing'))
  await consent(tab)
  await tab.getByText('Logged in').waitFor()
  await mcp.badge('demo', t('statusConnected', { count: 2 }))
  const card = await mcp.unfold('demo')
  await card.getByText(t('loginExpires')).waitFor()
  expect(await mcp.violations()).toEqual([])
})

test('the page shows no token, and none is in an address', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const addresses: string[] = []
  mcp.page.on('request', (request) => addresses.push(request.url()))
  await mcp.unfold('demo')
  await mcp.card('demo').locator('[data-tool="whoami"]').waitFor()
  const token = target.authorizations.findLast((field) => field !== undefined)!.slice('Bearer '.length)
  expect(await mcp.page.content()).not.toContain(token)
  expect(addresses.filter((address) => address.includes(token.slice(0, 20)))).toEqual([])
})

test('a tool that needs more scope leads to the grant, which adds the scope', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const { t } = mcp
  const tool = (await mcp.unfold('demo')).locator('[data-tool="publish"]')
  await tool.locator('.mcp-tool-head').click()
  await tool.getByRole('button', { name: t('toolRun') }).click()
  await mcp.badge('demo', t('statusMissingScope'))
  await mcp
    .card('demo')
    .getByText(t('failureMissingScope', { scope: 'mcp:write' }))
    .first()
    .waitFor()
  expect(await mcp.violations()).toEqual([])
  await consent(await openLogin(mcp, 'grant'))
  await mcp.badge('demo', t('statusConnected', { count: 2 }))
  // The call that asked for more goes on with the new login.
  await tool.locator('.mcp-result').getByText('mcp:write').waitFor()
  expect(provider.authorizationRequests.at(-1)?.['scope']?.split(' ')).toEqual(
    expect.arrayContaining(['mcp:read', 'mcp:write']),
  )
})

test('a log-out asks for a new login; a denial is told; a reload in the middle of a login loses nothing', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const { t } = mcp
  const card = await mcp.unfold('demo')
  await card.getByRole('button', { name: t('logout') }).click()
  await mcp.badge('demo', t('statusNeedsAuth'))

  const denied = await openLogin(mcp, 'authenticate')
  await denied.locator('a[href$="/abort"]').click()
  await denied.waitForURL((url) => url.origin === scene.host.url)
  await mcp.badge('demo', t('statusNeedsAuth'))
  expect(await mcp.card('demo').locator('.mcp-summary').textContent()).not.toBe('')

  const tab = await openLogin(mcp, 'authenticate')
  await mcp.page.reload()
  await consent(tab)
  const after = await openMcpPage(scene.browser, scene.host.url)
  await after.badge('demo', t('statusConnected', { count: 2 }))
})

test('the Chinese page says in Chinese why a login cannot begin, with the address that was asked', async () => {
  const nobody = `http://127.0.0.1:${await freePort()}`
  await using orphan = await startProtectedServer({ authorizationServers: [nobody] })
  await callManager(scene.host, 'POST', '/api/servers', { body: { name: 'orphan', type: 'http', url: orphan.url } })
  await using browser = await launchBrowser({ locale: 'zh-CN' })
  const mcp = await openMcpPage(browser, scene.host.url, 'zh')
  await mcp.badge('orphan', mcp.t('statusNeedsAuth'))
  await mcp
    .card('orphan')
    .getByRole('button', { name: mcp.t('authenticate'), exact: true })
    .first()
    .click()
  const { title, next } = oauthMessages.network.zh
  await mcp.card('orphan').getByText(`${title}。${next}（`).waitFor()
  expect(await mcp.card('orphan').textContent()).toContain(nobody)
})
