import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually, launchBrowser } from '@dsh-mcp/testkit'
import type { WebHost } from '@dsh-mcp/testkit'

const question = 'What is the sum of 40 and 2?'

/** Takes a picture of a chat in which the model called an MCP tool. The host must run the offline model. */
export async function takeChat(host: WebHost, folder: string): Promise<void> {
  const path = join(host.home, 'demo')
  await mkdir(path, { recursive: true })
  await host.api('workspace.create', { path })
  await using browser = await launchBrowser({ viewport: { width: 1200, height: 640 } })
  const page = await browser.context.newPage()
  await page.goto(host.url)
  await page.getByPlaceholder('Describe what you want to build').fill(question)
  await page.keyboard.press('Enter')
  await eventually('the answer is on the page', async () => (await page.getByText('sum of 40 and 2 is 42').count()) > 0)
  await page.waitForTimeout(1500)
  await page.mouse.move(5, 5)
  await page.screenshot({ path: join(folder, 'chat.png') })
}
