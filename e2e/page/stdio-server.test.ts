import { everythingStdio } from '@dsh-mcp/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { closeTabs, openMcpPage, startScene, type McpPage, type Scene } from './mcp-page.ts'

const { command, args } = everythingStdio()
let scene: Scene

beforeAll(async () => {
  scene = await startScene()
})
afterEach(() => closeTabs(scene))
afterAll(() => scene[Symbol.asyncDispose]())

async function fillStdio(mcp: McpPage, name: string): Promise<void> {
  const { section, t } = mcp
  await mcp.press(t('addServer'))
  await section.getByLabel(t('typeStdio')).check()
  await mcp.field(t('fieldName')).fill(name)
  await mcp.field(t('fieldCommand')).fill(command)
  await mcp.field(t('fieldArgs')).fill(args.join('\n'))
}

test('a stdio server is tested, added, and its tools appear', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const { section, t } = mcp
  await fillStdio(mcp, 'wrong name')
  await mcp.press(t('save'))
  await section.getByText(t('problemName')).waitFor()
  expect(await mcp.field(t('fieldName')).getAttribute('aria-invalid')).toBe('true')
  await mcp.field(t('fieldName')).fill('every')
  expect(await section.getByText(t('problemName')).count()).toBe(0)

  await mcp.press(t('test'))
  await section.locator('.mcp-good').waitFor()
  expect(await mcp.violations()).toEqual([])
  await mcp.press(t('save'))
  await mcp.connected('every')
  const card = await mcp.unfold('every')
  await card.locator('[data-tool="echo"]').waitFor()
  await card.getByText(t('transportStdio'), { exact: true }).waitFor()
  expect(await card.locator('.mcp-bar-fill').getAttribute('style')).toBe('width: 100%;')
  expect(await mcp.violations()).toEqual([])
})

test('a tool is tried: text, image and error come as the model would see them', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const { t } = mcp
  const card = await mcp.unfold('every')
  const open = async (tool: string) => {
    const row = card.locator(`[data-tool="${tool}"]`)
    await row.locator('.mcp-tool-head').click()
    return row
  }
  const echo = await open('echo')
  await echo.getByLabel('message').fill('from the page')
  await echo.getByRole('button', { name: t('toolRun') }).click()
  await echo.locator('.mcp-result').getByText('from the page').waitFor()

  const image = await open('get-tiny-image')
  await image.getByRole('button', { name: t('toolRun') }).click()
  const picture = image.locator('.mcp-result img')
  await picture.waitFor()
  expect(
    await mcp.page.evaluate<number>(
      '((image) => image.decode().then(() => image.naturalWidth))(document.querySelector(".mcp-result img"))',
    ),
  ).toBeGreaterThan(0)

  const sum = await open('get-sum')
  await sum.getByLabel('a', { exact: true }).fill('one')
  await sum.getByRole('button', { name: t('toolRun') }).click()
  await sum.getByText(t('problemNumber')).waitFor()
  await sum.getByLabel(t('toolRaw')).check()
  await sum.locator('.mcp-try textarea').fill('{"a":"x"}')
  await sum.getByRole('button', { name: t('toolRun') }).click()
  await sum.locator('.mcp-result[data-error="true"]').waitFor()
  expect(await mcp.violations()).toEqual([])
})

test('a tool is switched off and stays off after a reload', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const card = await mcp.unfold('every')
  const off = card.getByRole('switch', { name: mcp.t('toolEnable', { name: 'echo' }) })
  await off.click()
  await card.locator('[data-tool="echo"][data-off="true"]').waitFor()
  const again = await openMcpPage(scene.browser, scene.host.url)
  await (await again.unfold('every')).locator('[data-tool="echo"][data-off="true"]').waitFor()
})

test('a server is renamed, and switching the kind and back loses nothing', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const { section, t } = mcp
  const card = await mcp.unfold('every')
  await card.getByRole('button', { name: t('edit'), exact: true }).click()
  await section.getByLabel(t('typeHttp'), { exact: true }).check()
  await mcp.field(t('fieldUrl')).fill('https://example.com/mcp')
  await section.getByLabel(t('typeStdio')).check()
  expect(await mcp.field(t('fieldCommand')).inputValue()).toBe(command)
  expect(await mcp.field(t('fieldArgs')).inputValue()).toBe(args.join('\n'))
  await section.getByLabel(t('typeHttp'), { exact: true }).check()
  expect(await mcp.field(t('fieldUrl')).inputValue()).toBe('https://example.com/mcp')
  await section.getByLabel(t('typeStdio')).check()
  await mcp.field(t('fieldName')).fill('renamed')
  await mcp.field(t('fieldTimeout')).fill('5000')
  await mcp.press(t('save'))
  await mcp.connected('renamed')
  expect(await mcp.card('every').count()).toBe(0)
})

test('a secret is masked, kept when it is not typed again, and never in the page', async () => {
  const secret = 'a-very-secret-value-1234'
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const { section, t } = mcp
  const edit = async () => (await mcp.unfold('renamed')).getByRole('button', { name: t('edit'), exact: true }).click()
  const name = t('pairOf', { table: t('fieldEnv'), number: 1, part: t('pairName') })
  const value = t('pairOf', { table: t('fieldEnv'), number: 1, part: t('pairValue') })
  await edit()
  await section
    .getByRole('group', { name: t('fieldEnv') })
    .getByRole('button', { name: t('pairAdd') })
    .click()
  await mcp.field(name).fill('PAGE_SECRET')
  await mcp.field(value).fill(secret)
  await mcp.press(t('save'))
  await mcp.connected('renamed')

  await edit()
  expect(await mcp.field(value).inputValue()).toBe('')
  expect(await mcp.field(value).getAttribute('placeholder')).toBe(t('pairKept'))
  expect(await mcp.page.content()).not.toContain(secret)
  expect(await mcp.page.evaluate(`fetch('/mcp-manager/api/servers').then((answer) => answer.text())`)).not.toContain(
    secret,
  )
  await mcp.press(t('save'))
  await mcp.connected('renamed')
  const card = await mcp.unfold('renamed')
  await card.locator('[data-tool="get-env"] .mcp-tool-head').click()
  await card
    .locator('[data-tool="get-env"]')
    .getByRole('button', { name: t('toolRun') })
    .click()
  await card.locator('[data-tool="get-env"] .mcp-result').waitFor()
  expect(await card.locator('[data-tool="get-env"] .mcp-result').textContent()).toContain('PAGE_SECRET')
})

test('a server is switched off and on, and its log can be read', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const { t } = mcp
  const toggle = mcp.card('renamed').getByRole('switch', { name: t('enableServer', { name: 'renamed' }) })
  await toggle.click()
  await mcp.badge('renamed', t('statusDisabled'))
  await toggle.click()
  await mcp.connected('renamed')
  const card = await mcp.unfold('renamed')
  await card.getByRole('button', { name: t('logs'), exact: true }).click()
  const log = card.locator('.mcp-log')
  await log.waitFor()
  expect(await log.textContent()).toMatch(/^\[\d{4}-\d\d-\d\dT[^\]]+\] stdio-spawn/m)
  await mcp.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await card.getByRole('button', { name: t('logsCopy') }).click()
  await mcp.page.getByText(t('copied')).waitFor()
  expect(await mcp.page.evaluate('navigator.clipboard.readText()')).toContain('MCP server "renamed" (stdio')
})

test('a program that cannot start is told in one line, with the next step', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const { section, t } = mcp
  await mcp.press(t('addServer'))
  await section.getByLabel(t('typeStdio')).check()
  await mcp.field(t('fieldName')).fill('broken')
  await mcp.field(t('fieldCommand')).fill('no-such-program-xyz')
  await mcp.press(t('test'))
  await section.getByText(t('testFailed')).waitFor()
  await mcp.press(t('save'))
  await mcp.badge('broken', t('statusError'))
  const summary = mcp.card('broken').locator('.mcp-summary')
  expect(await summary.textContent()).toContain('no-such-program-xyz')
  expect((await summary.boundingBox())?.height).toBe(20)
  await (await mcp.unfold('broken')).getByText(t('nextStdio')).waitFor()
  expect(await mcp.violations()).toEqual([])
})

test('a server is deleted after a question; Escape takes the question back and leaves the settings open', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const { page, t } = mcp
  const card = await mcp.unfold('broken')
  await card.getByRole('button', { name: t('remove'), exact: true }).click()
  await page.keyboard.press('Escape')
  await card.getByRole('button', { name: t('remove'), exact: true }).click()
  await card.getByRole('button', { name: t('removeConfirm') }).click()
  await card.waitFor({ state: 'detached' })
  expect(await mcp.card('renamed').count()).toBe(1)
})

test('the name of another server is refused at its field', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  await fillStdio(mcp, 'renamed')
  await mcp.press(mcp.t('save'))
  await mcp.section.getByText(mcp.t('problemNameTaken')).waitFor()
  await mcp.press(mcp.t('cancel'))
  await mcp.card('renamed').waitFor()
})
