import { realpath } from 'node:fs/promises'
import { startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { endpointOf, postOf } from './delegate.ts'
import type { Fields } from './delegate.ts'

const waitSeconds = 310

test('a wait longer than the five minutes in which fetch wants the headers is answered', async () => {
  await using home = await temporaryHome()
  await using _host = await startWebHost({ home: home.path, plugins: ['server'] })
  const { url, token } = await endpointOf(home.path)
  const call = (tool: string, args: Fields) => fetch(url, postOf(token, tool, args))

  const cwd = await realpath(home.path)
  const prompt = `sleep ${waitSeconds * 1000}\nsay at last`
  const started = (await (await call('dsh_start_session', { cwd, prompt })).json()) as {
    result: { structuredContent: { sessionId: string; messageId: string } }
  }
  const { sessionId, messageId } = started.result.structuredContent
  const began = performance.now()
  const response = await call('dsh_wait_session', { sessionId, messageId, timeoutSeconds: 600 })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  expect(performance.now() - began).toBeLessThan(60_000)
  const text = await response.text()
  expect(performance.now() - began).toBeGreaterThan(300_000)
  expect(text.match(/^: keep-alive$/gm)!.length).toBeGreaterThan(10)
  const data = text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length))
  expect(data).toHaveLength(1)
  expect(JSON.parse(data[0]!)).toMatchObject({
    result: { structuredContent: { reason: 'completed', reply: { text: 'at last' } } },
  })
}, 500_000)
