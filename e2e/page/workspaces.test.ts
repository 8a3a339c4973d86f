import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { configPatch, smallServer } from '@dsh-mcp/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callManager } from '../manager/api-client.ts'
import { closeTabs, openMcpPage, showMcp, startScene, type McpPage, type Scene } from './mcp-page.ts'

let scene: Scene
let root: string
const file = (): string => join(root, '.dsh', 'dshmm', 'mcp.json')

beforeAll(async () => {
  scene = await startScene({ patches: [configPatch('mcp-manager', { askBeforeWorkspaceCommands: true })] })
  await mkdir(join(scene.home, 'project', '.dsh', 'dshmm'), { recursive: true })
  root = await realpath(join(scene.home, 'project'))
  await writeFile(file(), JSON.stringify({ mcpServers: { own: smallServer('own') }, other: 'kept' }))
  await scene.host.api('workspace.create', { path: root })
  await callManager(scene.host, 'POST', '/api/servers', { body: { name: 'everywhere', ...smallServer('everywhere') } })
})
afterEach(() => closeTabs(scene))
afterAll(() => scene[Symbol.asyncDispose]())

async function openWorkspace(): Promise<McpPage> {
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  await mcp.field(mcp.t('view')).selectOption(root)
  return mcp
}

const stored = async (): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(file(), 'utf8')) as Record<string, unknown>

test('a workspace shows its own servers and the global ones, each with a switch of its own', async () => {
  const mcp = await openWorkspace()
  const { section, t } = mcp
  await section.getByText(t('groupWorkspace')).waitFor()
  await mcp.badge('own', t('statusConfigured'))
  await mcp.badge('everywhere', t('statusConnectedOne'))
  await mcp
    .card('everywhere')
    .getByRole('switch', { name: t('enableHere', { name: 'everywhere' }) })
    .click()
  await mcp.badge('everywhere', t('statusDisabledHere'))
  expect(await stored()).toMatchObject({ disabled: ['everywhere'], other: 'kept' })
  await mcp.field(t('view')).selectOption('')
  await mcp.badge('everywhere', t('statusConnectedOne'))
  await mcp.field(t('view')).selectOption(root)
  await mcp
    .card('everywhere')
    .getByRole('switch', { name: t('enableHere', { name: 'everywhere' }) })
    .click()
  await mcp.badge('everywhere', t('statusConnectedOne'))
  expect(await mcp.violations()).toEqual([])
})

test('a command of a workspace file waits for consent to exactly this command', async () => {
  await scene.host.api('session.create', { cwd: root })
  const mcp = await openWorkspace()
  const { t } = mcp
  const card = await mcp.unfold('own')
  await card.getByText(t('consentTitle')).waitFor()
  expect(await card.locator('.mcp-consent .mcp-code').textContent()).toContain('small-server.program.mjs')
  expect(await mcp.violations()).toEqual([])
  await card.getByRole('button', { name: t('consentRefuse'), exact: true }).click()
  await card.getByText(t('consentRefused')).waitFor()
  expect(await card.getByRole('button', { name: t('consentRefuse'), exact: true }).count()).toBe(0)
  expect(await mcp.violations()).toEqual([])
  await mcp.page.reload()
  await showMcp(mcp.page, 'en')
  await mcp.field(t('view')).selectOption(root)
  await (await mcp.unfold('own')).getByText(t('consentRefused')).waitFor()
  await card.getByRole('button', { name: t('consentAllow'), exact: true }).click()
  await mcp.badge('own', t('statusConnectedOne'))
})

test('a server is added to the workspace, changed and deleted: the file follows', async () => {
  const mcp = await openWorkspace()
  const { section, t } = mcp
  await mcp.press(t('addServer'))
  expect(await mcp.field(t('fieldWorkspace')).inputValue()).toBe(root)
  await section.getByLabel(t('typeHttp'), { exact: true }).check()
  await mcp.field(t('fieldName')).fill('api')
  await mcp.field(t('fieldUrl')).fill('http://127.0.0.1:9/mcp')
  await section.getByLabel(t('authNone')).check()
  await mcp.press(t('save'))
  await mcp.card('api').waitFor()
  expect(await stored()).toMatchObject({ mcpServers: { api: { url: 'http://127.0.0.1:9/mcp' } }, other: 'kept' })

  await (await mcp.unfold('api')).getByRole('button', { name: t('edit'), exact: true }).click()
  await mcp.field(t('fieldName')).fill('renamed')
  await mcp.press(t('save'))
  await mcp.card('renamed').waitFor()
  await (await mcp.unfold('renamed')).getByRole('button', { name: t('remove'), exact: true }).click()
  await mcp.press(t('removeConfirm'))
  await mcp.card('renamed').waitFor({ state: 'detached' })
  expect(Object.keys((await stored())['mcpServers'] as object)).toEqual(['own'])
})

test('a taken name is a conflict, and is solved when the holder goes', async () => {
  await callManager(scene.host, 'POST', '/api/servers', { body: { name: 'twice', ...smallServer('twice') } })
  await writeFile(file(), JSON.stringify({ mcpServers: { own: smallServer('own'), twice: smallServer('twice') } }))
  const mcp = await openWorkspace()
  const { section, t } = mcp
  const local = section.locator('[data-server="twice"]').first()
  await local.locator('.mcp-badge').getByText(t('statusConflict')).waitFor()
  await local.locator('.mcp-row-head').click()
  await local.getByText(t('nextConflict')).waitFor()
  const holder = section.locator('[data-server="twice"]').last()
  await holder.locator('.mcp-row-head').click()
  await holder.getByRole('button', { name: t('remove'), exact: true }).click()
  await holder.getByRole('button', { name: t('removeConfirm') }).click()
  await local.locator('.mcp-badge').getByText(t('statusConflict')).waitFor({ state: 'detached' })
})

test('an invalid workspace file is told, and the last valid one runs on', async () => {
  const mcp = await openWorkspace()
  const { section, t } = mcp
  await mcp.badge('own', t('statusConnectedOne'))
  await writeFile(file(), '{ not json')
  const note = section.locator('.mcp-note')
  await note.getByText('invalid .dsh/dshmm/mcp.json').waitFor()
  expect(await mcp.card('own').count()).toBe(1)
  await writeFile(file(), JSON.stringify({ mcpServers: { own: smallServer('own'), bad: { type: 'stdio' } } }))
  await note.getByText('server "bad": command: is missing').waitFor()
  expect(await mcp.violations()).toEqual([])
  await writeFile(file(), JSON.stringify({ mcpServers: { own: smallServer('own') } }))
  await note.waitFor({ state: 'detached' })
})
