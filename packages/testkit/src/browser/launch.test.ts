import { expect, test } from 'vitest'
import { temporaryHome } from '../host/home.ts'
import { startWebHost } from '../host/web.ts'
import { eventually } from '../wait.ts'
import { launchBrowser } from './launch.ts'

test('the browser opens the page of a real host', async () => {
  await using home = await temporaryHome()
  await using host = await startWebHost({ home: home.path })
  await using browser = await launchBrowser()
  const page = await browser.context.newPage()
  await page.goto(host.url)
  await eventually('the page shows its shell', async () => (await page.locator('button').count()) > 0)
  expect(await page.title()).not.toBe('')
})
