import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { smallServer } from '@dsh-mcp/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { closeTabs, openMcpPage, startScene, type Scene } from './mcp-page.ts'

const { command, args } = smallServer('imported')
const entry = { command, args, env: { IMPORT_SECRET: 'very-secret-import-value' } }
const toml = (name: string): string =>
  `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`

let scene: Scene

beforeAll(async () => {
  scene = await startScene()
})
afterEach(() => closeTabs(scene))
afterAll(() => scene[Symbol.asyncDispose]())

test.each([
  ['claude-desktop', JSON.stringify({ mcpServers: { 'claude-desktop': entry }, globalShortcut: '' })],
  ['claude-code', JSON.stringify({ mcpServers: { 'claude-code': { type: 'stdio', ...entry } } })],
  ['cursor', JSON.stringify({ mcpServers: { cursor: entry } })],
  ['vscode', JSON.stringify({ servers: { vscode: { type: 'stdio', ...entry } }, inputs: [] })],
  ['codex', toml('codex')],
] as const)('servers of %s are previewed, then imported and connected', async (name, text) => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const { section, t } = mcp
  await mcp.press(t('importServers'))
  await mcp.field(t('importPaste')).fill(text)
  await mcp.press(t('importPreview'))
  await section.getByRole('checkbox', { name: t('importEntry', { name }) }).waitFor()
  expect(await section.locator('.mcp-import').textContent()).not.toContain('very-secret-import-value')
  expect(await mcp.violations()).toEqual([])
  await mcp.press(t('importChosenOne'))
  await mcp.badge(name, t('statusConnectedOne'))
})

test('a chosen file works like a pasted text; a taken name cannot be chosen, others can be left out', async () => {
  const file = join(scene.home, 'mcp.json')
  const servers = { cursor: entry, fresh: entry, unwanted: entry }
  await writeFile(file, JSON.stringify({ mcpServers: servers }))
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const { section, t } = mcp
  await mcp.press(t('importServers'))
  await section.locator('input[type="file"]').setInputFiles(file)
  const box = (name: string) => section.getByRole('checkbox', { name: t('importEntry', { name }) })
  await box('fresh').waitFor()
  expect(await box('cursor').isDisabled()).toBe(true)
  await section.getByText(t('importTaken')).waitFor()
  await box('unwanted').uncheck()
  await mcp.press(t('importChosenOne'))
  await mcp.badge('fresh', t('statusConnectedOne'))
  expect(await mcp.card('unwanted').count()).toBe(0)
})

test('a text that is no configuration is refused with the reason', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  await mcp.press(mcp.t('importServers'))
  await mcp.field(mcp.t('importPaste')).fill('no { configuration')
  await mcp.press(mcp.t('importPreview'))
  await mcp.section.locator('.mcp-problem').first().waitFor()
})

test('the global servers are exported without their secrets, in the form that import reads', async () => {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const { section, t } = mcp
  const [download] = await Promise.all([mcp.page.waitForEvent('download'), mcp.press(t('exportServers'))])
  expect(download.suggestedFilename()).toBe('mcp-servers.json')
  await mcp.page.getByText(t('exportDone', { file: 'mcp-servers.json' })).waitFor()
  expect(await mcp.violations()).toEqual([])
  const text = await readFile(await download.path(), 'utf8')
  expect(text).toContain('${IMPORT_SECRET}')
  expect(text).not.toContain(entry.env.IMPORT_SECRET)
  await mcp.press(t('importServers'))
  await mcp.field(t('importPaste')).fill(text)
  await mcp.press(t('importPreview'))
  await section.getByText(t('importTaken')).first().waitFor()
})
