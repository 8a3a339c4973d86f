import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually, launchBrowser, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { openTestApi } from '../../packages/manager/src/web/test-parts.ts'
import { declareGlobal } from '../workspaces/scene.ts'
import { callManager } from './api-client.ts'

test('a page of another origin in a real browser changes nothing and reads nothing, on any route', async () => {
  await using listed = await openTestApi()
  await using home = await temporaryHome()
  await declareGlobal(home.path, { kept: { type: 'stdio', command: 'no-such-program-xyz', enabled: false } })
  await using host = await startWebHost({ home: home.path, plugins: ['manager'] })
  await eventually('the API answers', async () => (await callManager(host, 'GET', '/api/ping')).status === 200)
  const script = await readFile(fileURLToPath(new URL('hostile-page.script.mjs', import.meta.url)), 'utf8')
  const reached = new Set<string>()
  const page = createServer((request, response) => {
    if (request.method === 'POST') reached.add(String(request.headers['content-type']).split(';')[0]!)
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<body>You won<script>${script}</script>`)
  })
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
  const { port } = page.address() as AddressInfo
  const stateText = (): Promise<string> => readFile(join(home.path, 'mcp-manager.json'), 'utf8')
  const before = await stateText()
  try {
    await using browser = await launchBrowser()
    const attempts = listed.api.routes
      .filter(({ access, path }) => access === undefined && path !== '/api/events')
      .map(({ method, path }) => ({ method, url: `${host.url}/mcp-manager${path.replaceAll(':id', 'global-kept')}` }))
    // what the page can do to a server without a fence, so that a page that does nothing is not taken for a fence
    const control = { method: 'POST', url: `http://127.0.0.1:${port}/control` }
    // the same site under another port, and another site altogether
    for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
      const tab = await browser.context.newPage()
      await tab.goto(origin)
      const read = await tab.evaluate<string[]>(`attack(${JSON.stringify([...attempts, control])})`)
      // the browser of these tests may come with its own protections off: what it could read must be refusals
      expect(read.filter((text) => !text.includes('"error":"refused: ') && !text.includes('You won'))).toEqual([])
      await tab.close()
    }
  } finally {
    page.closeAllConnections()
    page.close()
  }
  expect([...reached]).toEqual(expect.arrayContaining(['text/plain', 'application/x-www-form-urlencoded']))
  expect(await stateText()).toBe(before)
  expect((await callManager(host, 'GET', '/api/servers')).body).toMatchObject({
    servers: [{ name: 'kept', enabled: false, status: 'disabled' }],
  })
})
