import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { closeTabs, mcpPage, openMcpPage, showMcp, startScene, type Scene } from './mcp-page.ts'

/** Answers that a host of another version or in another state would give, put between the page and the real host. */
const api = '**/mcp-manager/api/**'
let scene: Scene

beforeAll(async () => {
  scene = await startScene()
})
afterEach(() => closeTabs(scene))
afterAll(() => scene[Symbol.asyncDispose]())

test.each([
  ['unauthorized', { status: 401, body: '' }],
  ['forbidden', { status: 403, contentType: 'application/json', body: '{"error":""}' }],
  ['failed', { status: 500, contentType: 'application/json', body: '{"error":"disk full"}' }],
  ['absent', { status: 404, body: '' }],
] as const)('an API that answers "%s" is told, and the page recovers by itself', async (kind, answer) => {
  const page = await scene.browser.context.newPage()
  await page.route(api, (route) => route.fulfill(answer))
  await page.goto(scene.host.url)
  await showMcp(page, 'en')
  const mcp = mcpPage(page, 'en')
  const banner = mcp.section.locator(`.mcp-trouble[data-kind="${kind}"]`)
  await banner.waitFor()
  if (kind === 'failed') expect(await banner.textContent()).toContain('disk full')
  expect(await mcp.violations()).toEqual([])
  await page.unroute(api)
  await banner.waitFor({ state: 'detached' })
  await mcp.section.getByText(mcp.t('emptyTitle')).waitFor()
})

test('a network that is gone is told, and the page recovers by itself', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  await mcp.section.getByText(mcp.t('emptyTitle')).waitFor()
  await scene.browser.context.setOffline(true)
  const banner = mcp.section.locator('.mcp-trouble[data-kind="offline"]')
  await mcp.page.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
  await banner.waitFor()
  await scene.browser.context.setOffline(false)
  await banner.waitFor({ state: 'detached' })
})

test('without the host’s primitives the page works with plain elements', async () => {
  const page = await scene.browser.context.newPage()
  await page.route('**/plugins/@dsh-mcp/manager/**', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll('@deepseek-ai/dsh-client-ui-primitives', 'not-in-this-host')
    await route.fulfill({ response, body })
  })
  await page.goto(scene.host.url)
  await showMcp(page, 'en')
  const mcp = mcpPage(page, 'en')
  await mcp.section.locator('.mcp-plain-button').first().waitFor()
  await mcp.press(mcp.t('addServer'))
  await mcp.field(mcp.t('fieldName')).fill('x y')
  await mcp.press(mcp.t('save'))
  await mcp.section.getByText(mcp.t('problemName')).waitFor()
  expect(await mcp.violations()).toEqual([])
})

test('a host half of another version asks for a reload', async () => {
  const page = await scene.browser.context.newPage()
  await page.route('**/mcp-manager/api/events', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: 'data: {"kind":"hello","version":"99.0.0"}\n\n' }),
  )
  await page.goto(scene.host.url)
  await showMcp(page, 'en')
  const mcp = mcpPage(page, 'en')
  await mcp.section.locator('.mcp-trouble[data-kind="outdated"]').waitFor()
  await Promise.all([page.waitForEvent('load'), mcp.press(mcp.t('reload'))])
})
