import type { ServerResponse } from 'node:http'
import { eventually, startEverything, startOddHttp } from '@dsh-mcp/testkit'
import { describe, expect, test } from 'vitest'
import { countOf, http, openScene, textOf, untilState } from '../test-scene.ts'

describe('HTTP+SSE', () => {
  test('of the reference server is found by itself', async () => {
    await using peer = await startEverything('sse')
    await using scene = openScene()
    const connection = await scene.start('sse', http(peer.url))
    expect(connection.status).toMatchObject({ state: 'connected', transport: 'http-sse', era: 'legacy', toolCount: 12 })
    expect(await textOf(connection, 'echo', { message: 'hello' })).toBe('Echo: hello')
  })

  const streams: ServerResponse[] = []
  /** The first stream gives the endpoint; every POST is answered as `post` says. */
  function old(post: number, body: string, endpoint = '/messages?session=1') {
    return startOddHttp(({ request, response, message, plain }) => {
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`event: endpoint\ndata: ${endpoint}\n\n`)
        streams.push(response)
      } else if (request.url?.startsWith('/messages')) {
        plain(202)
        if (message.id === undefined || message.params?.name === 'hang') return true
        const results: Record<string, object> = {
          initialize: {
            protocolVersion: '2024-11-05',
            capabilities: { tools: {} },
            serverInfo: { name: 'old', version: '1' },
          },
          'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
        }
        const result = results[message.method ?? ''] ?? { content: [{ type: 'text', text: 'old answer' }] }
        streams.at(-1)!.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n\n`)
      } else plain(post, body)
      return true
    })
  }

  test.each([
    [404, 'Cannot POST /mcp'],
    [405, ''],
    [400, 'sessionId query parameter is not provided'],
    [202, 'Accepted'],
    [200, '<html>hello</html>'],
  ])('is tried when POST is answered %i "%s"', async (status, body) => {
    await using peer = await old(status, body)
    await using scene = openScene()
    const connection = await scene.start('old', http(peer.url))
    expect(connection.status).toMatchObject({
      state: 'connected',
      transport: 'http-sse',
      protocolVersion: '2024-11-05',
    })
    expect(await textOf(connection, 'echo')).toBe('old answer')
    expect(scene.log('old')).toContain('trying HTTP+SSE')
  })

  test.each([
    [500, 'boom'],
    [503, ''],
    [429, 'slow down'],
  ])('is not tried when POST is answered %i: the error stands', async (status, body) => {
    await using peer = await old(status, body)
    await using scene = openScene()
    const connection = await scene.start('broken', http(peer.url))
    expect(connection.status).toMatchObject({ state: 'error', reason: expect.stringContaining(String(status)) })
    expect(countOf(peer.seen, 'GET')).toBe(0)
  })

  test('an endpoint of another origin is refused, and both errors are kept', async () => {
    await using peer = await old(404, 'nope', 'http://127.0.0.2:1/steal')
    await using scene = openScene()
    const connection = await scene.start('foreign', http(peer.url))
    expect(connection.status).toMatchObject({
      state: 'error',
      reason: expect.stringMatching(/Streamable HTTP: .*HTTP\+SSE: .*another origin/),
    })
    expect(scene.log('foreign')).toMatch(/404[^]*another origin/)
  })

  test('a lost stream is opened again at once, and remembered as what the server speaks', async () => {
    await using peer = await old(404, '')
    await using scene = openScene()
    const connection = await scene.start('again', http(peer.url))
    const { since } = await untilState(connection, 'connected')
    await eventually('it stood for a while', () => Date.now() - since > 3_100)
    const posts = countOf(peer.seen, 'POST initialize')
    const hanging = connection.callTool('hang', {})
    const outcome = expect(hanging).rejects.toMatchObject({
      code: 'closed',
      message: expect.stringContaining('SSE stream closed'),
    })
    await eventually('the call is at the server', () => countOf(peer.seen, 'POST tools/call') === 1)
    streams.at(-1)!.end()
    await outcome
    await eventually('it is back', () => connection.status.state === 'connected' && connection.status.since > since)
    expect(connection.status).toMatchObject({ reason: 'remembered' })
    expect(countOf(peer.seen, 'POST initialize')).toBe(posts + 1)
  })
})
