import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { closeTabs, openMcpPage, startScene, words, type Scene } from './mcp-page.ts'

let scene: Scene

beforeAll(async () => {
  scene = await startScene()
})
afterEach(() => closeTabs(scene))
afterAll(() => scene[Symbol.asyncDispose]())

test('the first visit on an empty home says what to do, and is clean for screen readers', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  await mcp.section.getByText(mcp.t('emptyTitle')).waitFor()
  expect(await mcp.section.getByRole('alert').count()).toBe(0)
  expect(await mcp.violations()).toEqual([])
})

test('the page follows the language of the host while it is open', async () => {
  const { page, section } = await openMcpPage(scene.browser, scene.host.url)
  const chinese = words('zh')
  await page.getByRole('button', { name: 'General', exact: true }).click()
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByRole('menuitem', { name: '中文' }).click()
  await page.getByRole('button', { name: 'MCP', exact: true }).click()
  await section.getByText(chinese('emptyTitle')).waitFor()
  await section.getByRole('button', { name: chinese('addServer') }).waitFor()
})

test('every control of the list is reached with the keyboard alone', async () => {
  const { page, section, t } = await openMcpPage(scene.browser, scene.host.url, 'zh')
  await section.getByRole('button', { name: t('importServers'), exact: true }).focus()
  const reached: string[] = []
  for (let step = 0; step < 4; step++) {
    await page.keyboard.press('Tab')
    reached.push(
      await page.evaluate<string>(
        'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
      ),
    )
  }
  expect(reached).toEqual([t('addServer'), t('onDemand'), t('view'), t('search')])
})
