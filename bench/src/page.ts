import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launchBrowser, startOddHttp, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import type { TestBrowser, WebHost } from '@dsh-mcp/testkit'
import { calibrationRows, contextRow, goalRow, median, type Row } from '../harness/index.ts'

const serverCount = 50
const toolsPerServer = 20
const rounds = 7
const idleSeconds = 20

type Page = Awaited<ReturnType<TestBrowser['context']['newPage']>>

const tools = Array.from({ length: toolsPerServer }, (_, index) => ({
  name: `tool_${index + 1}`,
  description: `Does the thing number ${index + 1}, and says what came of it`,
  inputSchema: { type: 'object', properties: { path: { type: 'string' }, depth: { type: 'integer' } } },
}))

/** Goes to a section and gives the milliseconds from the click until `ready` holds and the next frame is drawn. */
async function timeToSection(page: Page, section: string, ready: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    const buttons = [...document.querySelectorAll('[role="dialog"] nav button')]
    const button = buttons.find((one) => one.textContent.trim() === ${JSON.stringify(section)})
    const started = performance.now()
    const look = () => {
      if (performance.now() - started > 20000) return reject(new Error('${section} did not show'))
      if (!(${ready})) return requestAnimationFrame(look)
      requestAnimationFrame(() => resolve(performance.now() - started))
    }
    button.click()
    look()
  })`)
}

const allCards = `document.querySelectorAll('.mcp-card').length === ${serverCount}`

async function openSettings(browser: TestBrowser, host: WebHost): Promise<Page> {
  const page = await browser.context.newPage()
  await page.goto(host.url)
  // A person looks at the page before going to its settings; the plugin uses that time for its first read.
  await page.waitForTimeout(1500)
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  return page
}

async function setEnabled(host: WebHost, enabled: boolean): Promise<void> {
  const response = await fetch(`${host.url}/mcp-manager/api/servers/bench-server-1/enabled`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ enabled }),
  })
  if (!response.ok) throw new Error(`enabled: ${response.status} ${await response.text()}`)
  await response.body?.cancel()
}

/** Milliseconds from sending a change to the API until the badge in the page says it. Both clocks are this machine's. */
async function timeToShow(page: Page, host: WebHost, enabled: boolean): Promise<number> {
  const wanted = enabled ? 'Connected' : 'Disabled'
  const seen = page.evaluate<number>(`new Promise((resolve) => {
    const badge = document.querySelector('[data-server="server-1"] .mcp-badge')
    const look = () => badge.textContent.startsWith('${wanted}') && resolve(Date.now())
    new MutationObserver(look).observe(badge, { childList: true, characterData: true, subtree: true })
  })`)
  // The observer is in place when an evaluation that was sent after it has come back.
  await page.evaluate('0')
  const started = Date.now()
  await setEnabled(host, enabled)
  return (await seen) - started
}

/** Share of a core, in percent, that the page's main thread takes while nothing happens. */
async function idleShare(browser: TestBrowser, page: Page): Promise<number> {
  const session = await browser.context.newCDPSession(page)
  await session.send('Performance.enable')
  const busy = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')!.value
  }
  // Some 15 s after a page came to rest the engine tidies up, once; that is not what an hour of rest costs.
  await session.send('HeapProfiler.collectGarbage')
  await page.waitForTimeout(20_000)
  const before = await busy()
  await page.waitForTimeout(idleSeconds * 1000)
  return ((await busy()) - before) * (100 / idleSeconds)
}

/** Live heap in KiB and DOM nodes after a collection. */
async function footprint(browser: TestBrowser, page: Page): Promise<{ heap: number; nodes: number }> {
  const session = await browser.context.newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes } = await session.send('Memory.getDOMCounters')
  await session.detach()
  return { heap: usedSize / 1024, nodes }
}

/**
 * What an hour leaves in an open page: its timers run through an hour, and a server changes its state a hundred times. The
 * node count goes up and down by a dozen with what is drawn at the moment; a hundred changes that left a node each would show.
 */
async function hourOfGrowth(browser: TestBrowser, host: WebHost): Promise<{ heap: number; nodes: number }> {
  const page = await browser.context.newPage()
  await page.clock.install()
  await page.goto(host.url)
  await page.clock.runFor(1000)
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'MCP', exact: true }).click()
  await page
    .locator('.mcp-card')
    .nth(serverCount - 1)
    .waitFor()
  const hour = async (): Promise<void> => {
    for (let minute = 0; minute < 60; minute++) await page.clock.runFor(60_000)
    for (let change = 0; change < 100; change++) await setEnabled(host, change % 2 === 1)
    await page.clock.runFor(5000)
  }
  await hour()
  const before = await footprint(browser, page)
  await hour()
  const after = await footprint(browser, page)
  await page.close()
  return { heap: after.heap - before.heap, nodes: after.nodes - before.nodes }
}

/**
 * The Settings page with 50 connected servers of 20 tools each, in a real browser on a real host: how long it takes to be
 * seen (first visit of a fresh tab), how long a change takes to be seen, what the page costs while nothing happens.
 */
export async function run(): Promise<readonly Row[]> {
  await using home = await temporaryHome()
  await using peer = await startOddHttp(({ message, result }) => {
    if (message.method !== 'tools/list') return false
    result({ tools })
    return true
  })
  const servers = Array.from({ length: serverCount }, (_, index) => ({
    id: `bench-server-${index + 1}`,
    name: `server-${index + 1}`,
    type: 'http',
    url: peer.url,
    authMode: 'none',
  }))
  await writeFile(join(home.path, 'mcp-manager.json'), JSON.stringify({ servers }), { mode: 0o600 })
  await using host = await startWebHost({ home: home.path, plugins: ['manager'] })
  await using browser = await launchBrowser({ viewport: { width: 1280, height: 900 } })

  process.stderr.write('waiting until all servers are connected\n')
  const first = await openSettings(browser, host)
  await timeToSection(first, 'MCP', `document.querySelectorAll('.mcp-bar-fill').length === ${serverCount}`)
  await first.close()

  process.stderr.write('time to the section\n')
  const mcp: number[] = []
  const again: number[] = []
  const general: number[] = []
  for (let round = 0; round < rounds; round++) {
    const page = await openSettings(browser, host)
    mcp.push(await timeToSection(page, 'MCP', allCards))
    general.push(await timeToSection(page, 'Models', `!document.querySelector('.mcp-page')`))
    again.push(await timeToSection(page, 'MCP', allCards))
    await page.close()
  }

  process.stderr.write('time to a change\n')
  const page = await openSettings(browser, host)
  await timeToSection(page, 'MCP', allCards)
  const changes: number[] = []
  for (let round = 0; round < rounds; round++) {
    changes.push(await timeToShow(page, host, false))
    changes.push(await timeToShow(page, host, true))
  }

  process.stderr.write(`idle for twice ${idleSeconds} s\n`)
  const idle = await idleShare(browser, page)
  await timeToSection(page, 'Models', `!document.querySelector('.mcp-page')`)
  const idleElsewhere = await idleShare(browser, page)
  await page.close()

  process.stderr.write('two hours, compressed\n')
  const growth = await hourOfGrowth(browser, host)

  return [
    goalRow('section visible after the click, first time in a tab', median(mcp), 'ms', { atMost: 150 }),
    goalRow('section visible after the click, later', median(again), 'ms', { atMost: 150 }),
    contextRow('another section of the host, same click', median(general), 'ms'),
    goalRow('a change shows after the request that makes it', median(changes), 'ms', { atMost: 300 }),
    goalRow('idle page, share of a core', idle, '%', { atMost: 1 }),
    contextRow('idle page in another section', idleElsewhere, '%'),
    goalRow('heap growth in the second of two hours', growth.heap, 'KiB', { atMost: 512 }),
    goalRow('DOM node growth in the second of two hours', growth.nodes, 'nodes', { atMost: 20 }),
    ...(await calibrationRows()),
  ]
}
