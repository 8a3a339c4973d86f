import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'

/** A headless Chromium with an empty profile of its own. Disposing it ends the browser and removes the profile. */
export interface TestBrowser extends AsyncDisposable {
  readonly context: BrowserContext
}

const installedBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Switches that keep the browser from looking outside and let it run as root. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

/** `CHROMIUM_PATH`, else an installed browser, else on Linux x64 the one that the npm package ships. */
async function executable(): Promise<{ path: string; args: readonly string[] }> {
  const found = [process.env.CHROMIUM_PATH, ...installedBrowsers].find((path) => path !== undefined && existsSync(path))
  if (found !== undefined) return { path: found, args: [] }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('no Chromium found: install one, or name it in CHROMIUM_PATH')
  }
  const { default: chromium } = await import('@sparticuz/chromium')
  return { path: await chromium.executablePath(), args: chromium.args }
}

/** Starts the browser. `locale` sets `navigator.language`, `colorScheme` the preferred scheme. */
export async function launchBrowser(
  options: {
    locale?: string
    colorScheme?: 'light' | 'dark'
    viewport?: { width: number; height: number }
  } = {},
): Promise<TestBrowser> {
  const { chromium } = await import('playwright-core')
  const profile = await mkdtemp(join(tmpdir(), 'dsh-mcp-browser-'))
  const { path, args } = await executable()
  const ours = new Set(quiet.map((flag) => flag.split('=')[0]))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: path,
    headless: true,
    args: [...quiet, ...args.filter((flag) => !ours.has(flag.split('=')[0]) && !flag.startsWith('--headless'))],
    locale: options.locale ?? 'en-US',
    colorScheme: options.colorScheme ?? 'light',
    viewport: options.viewport ?? { width: 1280, height: 800 },
  })
  return {
    context,
    async [Symbol.asyncDispose]() {
      await context.close()
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}
