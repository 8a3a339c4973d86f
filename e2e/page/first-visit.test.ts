import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMcpPage, startScene, words, type Scene } from './mcp-page.ts'

let scene: Scene

beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

test('the first visit on an empty home says what to do, and is clean for screen readers', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  await mcp.section.getByText(mcp.t('emptyTitle')).waitFor()
  expect(await mcp.section.getByRole('alert').count()).toBe(0)
  expect(await mcp.violations()).toEqual([])
  await mcp.page.close()
})

test('the page follows the language of the host while it is open', async () => {
  const { page, section } = await openMcpPage(scene.browser, scene.host.url)
  const chinese = words('zh')
  await page.getByRole('button', { name: 'General', exact: true }).click()
  await page
    .getByRole('radio', { name: '中文' })
    .or(page.getByRole('button', { name: '中文' }))
    .first()
    .click()
  await page.getByRole('button', { name: 'MCP', exact: true }).click()
  await section.getByText(chinese('emptyTitle')).waitFor()
  await section.getByRole('button', { name: chinese('addServer') }).waitFor()
  await page.close()
})

test('every control of the list is reached with the keyboard alone', async () => {
  const { page, section, t } = await openMcpPage(scene.browser, scene.host.url, 'zh')
  await section.getByRole('button', { name: t('importServers'), exact: true }).focus()
  const reached: string[] = []
  for (let step = 0; step < 4; step++) {
    await page.keyboard.press('Tab')
    reached.push(
      (await page.evaluate(
        'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
      )) as string,
    )
  }
  expect(reached).toEqual([t('addServer'), t('onDemand'), t('view'), t('search')])
  await page.close()
})
