import { oddStdio, startEverything, startOddHttp } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { define, openScene, stdio, untilState } from './test-scene.ts'

test('a call of 61 s under a budget of 65 s on every transport, then the row’s 1 s again', async () => {
  await using http = await startOddHttp()
  await using sse = await startEverything('sse')
  await using scene = openScene({ toolCallTimeoutMs: 1_000 })
  const remote = (url: string) => ({ type: 'http', url, authMode: 'none' })
  const servers = [
    { name: 'stdio', record: { type: 'stdio', ...oddStdio() }, tool: 'sleep', args: { ms: 61_000 } },
    { name: 'http', record: remote(http.url), tool: 'sleep', args: { ms: 61_000 } },
    { name: 'sse', record: remote(sse.url), tool: 'trigger-long-running-operation', args: { duration: 61, steps: 61 } },
  ]
  const started = performance.now()
  const results = await Promise.all(
    servers.map(async ({ name, record, tool, args }) => {
      const connection = await scene.start(name, { ...record, timeout: '65000.7' })
      return connection.callTool(tool, args)
    }),
  )
  expect(performance.now() - started).toBeGreaterThanOrEqual(61_000)
  expect(results.every(({ isError, content }) => isError !== true && content.length > 0)).toBe(true)

  for (const { name, record, tool, args } of servers) {
    const connection = scene.set.start(define(name, { ...record, timeout: '' }))
    await expect(connection.callTool(tool, args), name).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('within 1000 ms'),
    })
    expect(connection.status.state).toBe('connected')
  }
})

test('a list whose pages never end and come slowly is given up after 60 s in all, not a page, and tried again', async () => {
  await using scene = openScene()
  const started = performance.now()
  const connection = await scene.start('slow', stdio({ pages: 'endless', listMs: 7_000 }))
  expect(performance.now() - started).toBeGreaterThanOrEqual(60_000)
  expect(connection.status).toMatchObject({
    state: 'error',
    reason: expect.stringContaining('tools/list'),
    retryAt: expect.any(Number),
  })
  expect(connection.tools).toEqual([])
  await untilState(connection, 'connecting')
})
