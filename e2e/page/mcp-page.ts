import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { launchBrowser, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import type { TestBrowser, WebHost, WebHostOptions } from '@dsh-mcp/testkit'
import { en } from '../../packages/manager/src/client/locales/en.ts'
import { zh } from '../../packages/manager/src/client/locales/zh.ts'

export type Language = 'en' | 'zh'

type Page = Awaited<ReturnType<TestBrowser['context']['newPage']>>
type Locator = ReturnType<Page['locator']>

/** Words of the host's own shell that a test presses. */
const shell = { en: { settings: 'Settings' }, zh: { settings: '设置' } } as const

/** The page's words in a language, with parameters filled in. */
export function words(language: Language) {
  const dictionary = language === 'zh' ? zh : en
  return (key: keyof typeof en, params: Readonly<Record<string, string | number>> = {}): string =>
    dictionary[key].replaceAll(/(?<!\$)\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole))
}

/** A tab that shows Settings → MCP. */
export interface McpPage {
  readonly page: Page
  readonly t: ReturnType<typeof words>
  /** The section itself. */
  readonly section: Locator
  card(name: string): Locator
  /** Presses a button of the section. */
  press(name: string): Promise<void>
  /** Opens the card of a server, if it is folded, and gives it. */
  unfold(name: string): Promise<Locator>
  /** Waits until the badge of a server says this. */
  badge(name: string, text: string | RegExp): Promise<void>
  /** Waits until a server is connected, whatever the number of its tools. */
  connected(name: string): Promise<void>
  field(label: string): Locator
  /** What axe finds wrong in the section: one line each. */
  violations(): Promise<string[]>
  /** Classes of the elements that reach beyond the right edge of the window. */
  tooWide(): Promise<string[]>
}

/** Opens the host in a new tab and goes to Settings → MCP. */
export async function openMcpPage(browser: TestBrowser, url: string, language: Language = 'en'): Promise<McpPage> {
  const page = await browser.context.newPage()
  page.setDefaultTimeout(30_000)
  await page.goto(url)
  await showMcp(page, language)
  return mcpPage(page, language)
}

/** Settings → MCP in a tab that shows the host. */
export async function showMcp(page: Page, language: Language): Promise<void> {
  await page.getByRole('button', { name: shell[language].settings, exact: true }).click()
  await page.getByRole('button', { name: 'MCP', exact: true }).click()
  await page.locator('.mcp-page').waitFor()
}

export function mcpPage(page: Page, language: Language): McpPage {
  const section = page.locator('.mcp-page')
  const card = (name: string): Locator => section.locator(`[data-server="${name}"]`)
  const t = words(language)
  async function badge(name: string, text: string | RegExp): Promise<void> {
    const shown = card(name).locator('.mcp-badge')
    try {
      await shown.getByText(text, { exact: true }).waitFor()
    } catch (error) {
      const says = JSON.stringify(await shown.allTextContents())
      throw new Error(`the badge of "${name}" says ${says}, not ${String(text)}`, { cause: error })
    }
  }
  return {
    page,
    t,
    section,
    card,
    press: (name) => section.getByRole('button', { name, exact: true }).first().click(),
    async unfold(name) {
      const head = card(name).locator('.mcp-row-head')
      if ((await head.getAttribute('aria-expanded')) === 'false') await head.click()
      return card(name)
    },
    badge,
    connected: (name) => {
      const many = literal(t('statusConnected', { count: '#' })).replace('#', String.raw`\d+`)
      return badge(name, new RegExp(`^(${many}|${literal(t('statusConnectedOne'))})$`))
    },
    field: (label) => section.getByLabel(new RegExp(`^${literal(label)}( ${literal(t('toolOptional'))})?$`)),
    violations: () => violations(page),
    tooWide: () =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('.mcp-page *')].filter((element) => {
          const box = element.getBoundingClientRect()
          return box.width > 0 && box.right > innerWidth + 1 && getComputedStyle(element).visibility === 'visible'
        }).map((element) => element.className)`,
      ),
  }
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

const require = createRequire(import.meta.url)

interface AxeReport {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'))
  const report = await page.evaluate<AxeReport>(`axe.run('.mcp-page', { resultTypes: ['violations'] })`)
  return report.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html.slice(0, 200)}`))
}

/** A real host with the manager in a home of its own, and a real browser. */
export interface Scene extends AsyncDisposable {
  readonly home: string
  readonly host: WebHost
  readonly browser: TestBrowser
}

/** Boots host and browser. `locale` decides the language of the host's page. */
export async function startScene(
  options: Omit<WebHostOptions, 'home' | 'plugins'> & { readonly locale?: string; readonly home?: string } = {},
): Promise<Scene> {
  const { locale = 'en-US', home: given, ...hostOptions } = options
  await using stack = new AsyncDisposableStack()
  const home = given ?? stack.use(await temporaryHome()).path
  const host = stack.use(await startWebHost({ ...hostOptions, home, plugins: ['manager'] }))
  const browser = stack.use(await launchBrowser({ locale }))
  const kept = stack.move()
  return { home, host, browser, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** Closes every tab, so that one failed test does not hold connections that the next needs. */
export async function closeTabs({ browser }: Scene): Promise<void> {
  await Promise.all(browser.context.pages().map((page) => page.close()))
}
