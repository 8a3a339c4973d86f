import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launchBrowser, smallServer } from '@dsh-mcp/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callManager } from '../manager/api-client.ts'
import { closeTabs, openMcpPage, startScene, type McpPage, type Scene } from './mcp-page.ts'

let scene: Scene

beforeAll(async () => {
  scene = await startScene()
  await callManager(scene.host, 'POST', '/api/servers', { body: { name: 'alpha', ...smallServer('alpha', 12) } })
  await callManager(scene.host, 'POST', '/api/servers', { body: { name: 'beta', ...smallServer('beta') } })
})
afterEach(() => closeTabs(scene))
afterAll(() => scene[Symbol.asyncDispose]())

const toggle = (mcp: McpPage, name: string) =>
  mcp.card(name).getByRole('switch', { name: mcp.t('enableServer', { name }) })

test('a server that crashes while one looks is told, and its return too', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const { t } = mcp
  const card = await mcp.unfold('beta')
  const tool = card.locator('[data-tool="tool_1"]')
  await tool.locator('.mcp-tool-head').click()
  await tool.getByRole('button', { name: t('toolRun') }).click()
  const result = await tool.locator('.mcp-result').textContent()
  const pid = Number(/pid (\d+)/.exec(result ?? '')?.[1])
  await card.locator('.mcp-row-head').click()
  const before = await mcp.card('beta').boundingBox()
  process.kill(pid, 'SIGKILL')
  await mcp.badge('beta', t('statusError'))
  expect(await mcp.card('beta').boundingBox()).toEqual(before)
  await mcp.badge('beta', t('statusConnectedOne'))
})

test('two tabs show the same, over one event stream that outlives the first tab', async () => {
  const streams: string[] = []
  scene.browser.context.on('request', (request) => {
    if (request.url().endsWith('/api/events')) streams.push(request.url())
  })
  const first = await openMcpPage(scene.browser, scene.host.url)
  await first.badge('alpha', first.t('statusConnected', { count: 12 }))
  const second = await openMcpPage(scene.browser, scene.host.url)
  await second.badge('alpha', second.t('statusConnected', { count: 12 }))
  await toggle(first, 'alpha').click()
  await second.badge('alpha', second.t('statusDisabled'))
  expect(streams).toHaveLength(1)
  await first.page.close()
  await toggle(second, 'alpha').click()
  await second.badge('alpha', second.t('statusConnected', { count: 12 }))
  await callManager(scene.host, 'POST', '/api/servers', { body: { name: 'gamma', ...smallServer('gamma') } })
  await second.badge('gamma', second.t('statusConnectedOne'))
  expect(streams).toHaveLength(2)
})

test('search finds by name; the largest schemas have the longest bar', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  await mcp.badge('beta', mcp.t('statusConnectedOne'))
  const bar = (name: string) => mcp.card(name).locator('.mcp-bar-fill').getAttribute('style')
  expect(await bar('alpha')).toBe('width: 100%;')
  expect(Number.parseInt((await bar('beta'))!.slice('width: '.length), 10)).toBeLessThan(20)
  await mcp.field(mcp.t('search')).fill('ALP')
  await mcp.card('beta').waitFor({ state: 'detached' })
  expect(await mcp.card('alpha').count()).toBe(1)
  await mcp.field(mcp.t('search')).fill('zzz')
  await mcp.section.getByText(mcp.t('searchNothing')).waitFor()
})

test('the on-demand switch is stored, and shows what it saves', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const { section, t } = mcp
  await section.getByText(/Right now: [\d.]+ KB directly, [\d.]+ (KB|B) on demand/).waitFor()
  const control = section.getByRole('switch', { name: t('onDemand') })
  expect(await control.getAttribute('aria-checked')).toBe('false')
  await control.click()
  await section.getByRole('switch', { name: t('onDemand'), checked: true, disabled: false }).waitFor()
  const stored = JSON.parse(await readFile(join(scene.home, 'mcp-manager.json'), 'utf8')) as object
  expect(stored).toMatchObject({ onDemandToolInjection: true })
  await control.click()
  await section.getByRole('switch', { name: t('onDemand'), checked: false, disabled: false }).waitFor()
})

test('at 360 px nothing is cut off and everything can be pressed', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  await mcp.page.setViewportSize({ width: 360, height: 740 })
  await mcp.unfold('beta')
  expect(await mcp.tooWide()).toEqual([])
  await mcp.press(mcp.t('addServer'))
  await mcp.field(mcp.t('fieldName')).fill('x')
  expect((await mcp.field(mcp.t('fieldName')).boundingBox())?.width).toBeGreaterThan(200)
  expect(await mcp.violations()).toEqual([])
})

test('the Chinese page says states, failures and next steps in Chinese', async () => {
  await callManager(scene.host, 'POST', '/api/servers', {
    body: { name: 'dead', type: 'stdio', command: 'no-such-xyz' },
  })
  await using browser = await launchBrowser({ locale: 'zh-CN' })
  const mcp = await openMcpPage(browser, scene.host.url, 'zh')
  await mcp.badge('beta', mcp.t('statusConnectedOne'))
  await mcp.badge('dead', mcp.t('statusError'))
  await (await mcp.unfold('dead')).getByText(mcp.t('nextStdio')).waitFor()
  await mcp.press(mcp.t('addServer'))
  await mcp.press(mcp.t('save'))
  await mcp.section.getByText(mcp.t('problemRequired')).first().waitFor()
  expect(await mcp.violations()).toEqual([])
})
