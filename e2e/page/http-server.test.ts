import { freePort, startOddHttp, startProtectedServer, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { closeTabs, openMcpPage, startScene, type McpPage, type Scene } from './mcp-page.ts'

let scene: Scene
let port: number
let home: Awaited<ReturnType<typeof temporaryHome>>

beforeAll(async () => {
  home = await temporaryHome()
  port = await freePort()
  scene = await startScene({ home: home.path, port })
})
afterEach(() => closeTabs(scene))
afterAll(async () => {
  await scene[Symbol.asyncDispose]()
  await home[Symbol.asyncDispose]()
})

async function fillHttp(mcp: McpPage, name: string, url: string, auth: 'authNone' | 'authStatic'): Promise<void> {
  await mcp.press(mcp.t('addServer'))
  await mcp.field(mcp.t('fieldName')).fill(name)
  await mcp.field(mcp.t('fieldUrl')).fill(url)
  await mcp.section.getByLabel(mcp.t(auth)).check()
}

test('a server without authentication connects on save; headers go with its requests', async () => {
  await using peer = await startOddHttp()
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const { section, t } = mcp
  await fillHttp(mcp, 'open', peer.url, 'authNone')
  await section.getByText(t('optionalFields')).click()
  await section
    .getByRole('group', { name: t('fieldHeaders'), exact: true })
    .getByRole('button', { name: t('pairAdd') })
    .click()
  await mcp.field(t('pairOf', { table: t('fieldHeaders'), number: 1, part: t('pairName') })).fill('X-Team')
  await mcp.field(t('pairOf', { table: t('fieldHeaders'), number: 1, part: t('pairValue') })).fill('blue')
  expect(await mcp.violations()).toEqual([])
  await mcp.press(t('save'))
  await mcp.badge('open', t('statusConnected', { count: 2 }))
  expect(peer.requests.at(-1)?.headers['x-team']).toBe('blue')
  expect(peer.requests.some((request) => request.headers.authorization !== undefined)).toBe(false)
  await (await mcp.unfold('open')).getByText(t('transportStreamable')).waitFor()
})

test('a refusal of the host that belongs to no single field stands at the end of the form', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const { section, t } = mcp
  await fillHttp(mcp, 'masked', 'http://127.0.0.1:9/mcp', 'authNone')
  await section.getByText(t('optionalFields')).click()
  await section
    .getByRole('group', { name: t('fieldHeaders'), exact: true })
    .getByRole('button', { name: t('pairAdd') })
    .click()
  await mcp.field(t('pairOf', { table: t('fieldHeaders'), number: 1, part: t('pairName') })).fill('X-Team')
  await mcp.field(t('pairOf', { table: t('fieldHeaders'), number: 1, part: t('pairValue') })).fill('••••')
  await mcp.press(t('save'))
  await section.getByText('headers.X-Team: ').waitFor()
  expect(await mcp.violations()).toEqual([])
})

test('a missing token variable is needs-auth; set and restarted, the open page recovers and shows it connected', async () => {
  await using target = await startProtectedServer({
    verify: async (token) => (token === 'the-right-token' ? { scopes: [] } : undefined),
  })
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const { section, t } = mcp
  await fillHttp(mcp, 'fixed', target.url, 'authStatic')
  await mcp.field(t('fieldTokenEnv')).fill('the-right-token')
  await mcp.press(t('save'))
  await section.getByText(t('problemVariableName')).waitFor()
  await mcp.field(t('fieldTokenEnv')).fill('PAGE_TEST_TOKEN')
  await mcp.press(t('save'))
  await mcp.badge('fixed', t('statusNeedsAuth'))
  await (await mcp.unfold('fixed')).getByText(t('nextToken', { name: 'PAGE_TEST_TOKEN' })).waitFor()

  await scene.host.stop()
  await mcp.section.locator('.mcp-trouble[data-kind="offline"]').waitFor()
  await using again = await startWebHost({
    home: home.path,
    plugins: ['manager'],
    port,
    env: { PAGE_TEST_TOKEN: 'the-right-token' },
  })
  await mcp.badge('fixed', t('statusConnectedOne'))
  expect(await mcp.section.locator('.mcp-trouble').count()).toBe(0)
  expect(await mcp.page.content()).not.toContain('the-right-token')
  expect(again.url).toBe(scene.host.url)
})
