import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { launchBrowser, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import type { TestBrowser, WebHost } from '@dsh-mcp/testkit'
import { prepareServers } from './sample-servers.ts'

interface Look {
  readonly locale: string
  readonly scheme: 'light' | 'dark'
  readonly settings: string
  readonly logs: string
  readonly add: string
  readonly more: string
  readonly importing: string
  readonly preview: string
}

const english = {
  locale: 'en-US',
  settings: 'Settings',
  logs: 'Logs',
  add: 'Add server',
  more: 'More options',
  importing: 'Import',
  preview: 'Preview',
} as const
const chinese = {
  locale: 'zh-CN',
  settings: '设置',
  logs: '日志',
  add: '添加服务器',
  more: '更多选项',
  importing: '导入',
  preview: '预览',
} as const

const looks: readonly Look[] = [
  { ...english, scheme: 'light' },
  { ...english, scheme: 'dark' },
  { ...chinese, scheme: 'light' },
  { ...chinese, scheme: 'dark' },
]

const pasted = JSON.stringify(
  {
    mcpServers: {
      docs: { url: 'https://docs.example.com/mcp' },
      memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
      database: { command: 'uvx', args: ['mcp-server-sqlite', '--db-path', 'notes.db'], env: { DB_KEY: 'secret' } },
    },
  },
  null,
  2,
)

type State = 'list' | 'open' | 'try' | 'failure' | 'narrow' | 'form' | 'import'

/** In the dark these are enough. */
const darkStates: ReadonlySet<State> = new Set(['list', 'open', 'failure'])

type Page = Awaited<ReturnType<TestBrowser['context']['newPage']>>

/** Takes pictures of the Settings page in its main states, light and dark, in both languages, wide and narrow. */
export async function takeSettings(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await using home = await temporaryHome()
  await using servers = await prepareServers(home.path)
  await using host = await startWebHost({ home: home.path, plugins: ['manager'], env: servers.env })
  for (const look of looks) await takeLook(host, folder, look)
}

async function takeLook(host: WebHost, folder: string, look: Look): Promise<void> {
  await using browser = await launchBrowser({
    locale: look.locale,
    colorScheme: look.scheme,
    viewport: { width: 1280, height: 900 },
  })
  const page = await browser.context.newPage()
  const name = (state: string): string => join(folder, `mcp-${state}-${look.locale.slice(0, 2)}-${look.scheme}.png`)
  const take = async (state: State): Promise<void> => {
    if (look.scheme === 'dark' && !darkStates.has(state)) return
    await page.mouse.move(2, 2)
    await page.waitForTimeout(400)
    await page.locator('[role="dialog"]').screenshot({ path: name(state) })
  }
  await page.goto(host.url)
  await page.getByRole('button', { name: look.settings, exact: true }).click()
  await page.getByRole('button', { name: 'MCP', exact: true }).click()
  await settled(page)
  await take('list')

  const everything = page.locator('[data-server="everything"]')
  await everything.locator('.mcp-row-head').click()
  const tool = everything.locator('[data-tool="get-sum"]')
  await tool.locator('.mcp-tool-head').click()
  await tool.getByLabel('a', { exact: true }).fill('40')
  await tool.getByLabel('b', { exact: true }).fill('2')
  await tool.locator('button[type="submit"]').click()
  await tool.locator('.mcp-result').waitFor()
  await top(page, '[data-server="everything"]')
  await take('open')
  await top(page, '[data-tool="get-sum"]')
  await take('try')
  await everything.locator('.mcp-row-head').click()

  await page.locator('[data-server="simulation"] .mcp-row-head').click()
  await page.locator('[data-server="simulation"]').getByRole('button', { name: look.logs, exact: true }).click()
  await page.locator('.mcp-log').waitFor()
  await top(page, '[data-server="simulation"]')
  await take('failure')

  await top(page, '.mcp-page')
  await page.setViewportSize({ width: 360, height: 780 })
  await take('narrow')
  await page.setViewportSize({ width: 1280, height: 900 })

  await page.getByRole('button', { name: look.add, exact: true }).click()
  await page.locator('.mcp-form summary').first().click()
  await take('form')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: look.importing, exact: true }).click()
  await page.locator('.mcp-form textarea').fill(pasted)
  await page.getByRole('button', { name: look.preview, exact: true }).click()
  await page.locator('.mcp-import').waitFor()
  await take('import')
}

/** Waits until no server is connecting any more. */
async function settled(page: Page): Promise<void> {
  await page.locator('[data-server="everything"] .mcp-bar-fill').waitFor()
  await page.locator('[data-server="memory"] .mcp-bar-fill').waitFor()
  await page.locator('[data-server="filesystem"] .mcp-bar-fill').waitFor()
  await page.locator('[data-server="issues"] .mcp-badge[data-tone="attention"]').waitFor()
}

async function top(page: Page, selector: string): Promise<void> {
  await page.evaluate(`document.querySelector(${JSON.stringify(selector)}).scrollIntoView({ block: 'start' })`)
}
