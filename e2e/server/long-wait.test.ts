import { realpath } from 'node:fs/promises'
import { startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { endpointOf, postOf } from './delegate.ts'

/** Node's own dispatcher for `fetch`, which a request may replace by one with other time limits. */
type Dispatcher = NonNullable<RequestInit['dispatcher']>
type DispatcherClass = new (options: { readonly headersTimeout: number; readonly bodyTimeout: number }) => Dispatcher

test('a wait longer than the client waits for headers, and than it lets a body pause, is answered', async () => {
  await using home = await temporaryHome()
  await using _host = await startWebHost({ home: home.path, plugins: ['server'] })
  const { url, token } = await endpointOf(home.path)
  const cwd = await realpath(home.path)
  const start = { cwd, prompt: 'sleep 33000\nsay at last' }
  const started = await fetch(url, postOf(token, 'dsh_start_session', start))
  const { result } = (await started.json()) as {
    result: { structuredContent: { sessionId: string; messageId: string } }
  }
  const { sessionId, messageId } = result.structuredContent

  // Fetch gives up after 300 s without headers or without a byte; here after 15 s and 20 s.
  const current = (globalThis as Record<symbol, unknown>)[Symbol.for('undici.globalDispatcher.1')] as Dispatcher
  const dispatcher = new (current.constructor as DispatcherClass)({ headersTimeout: 15_000, bodyTimeout: 20_000 })
  const wait = postOf(token, 'dsh_wait_session', { sessionId, messageId, timeoutSeconds: 120 })
  const init = { ...wait, dispatcher }
  const response = await fetch(url, init)
  const text = await response.text()
  await dispatcher.close()
  expect(text).toContain(': keep-alive')
  expect(text).toContain('"reason":"completed"')
  expect(text).toContain('at last')
}, 120_000)
