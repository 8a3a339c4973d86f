import type { ServerResponse } from 'node:http'
import { eventually, startOddHttp } from '@dsh-mcp/testkit'
import { describe, expect, test } from 'vitest'
import { countOf, define, http, openScene, textOf, untilState } from '../test-scene.ts'

describe('sessions', () => {
  test('an expired one is opened again once, and the call repeated', async () => {
    await using peer = await startOddHttp()
    await using scene = openScene()
    const connection = await scene.start('session', http(peer.url))
    peer.sessions.clear()
    const texts = await Promise.all(['a', 'b', 'c'].map((text) => textOf(connection, 'echo', { text })))
    expect(texts).toEqual(['a', 'b', 'c'])
    expect(countOf(peer.seen, 'POST initialize')).toBe(2)
    expect(countOf(peer.seen, 'POST tools/list')).toBe(2)
    expect(connection.status.state).toBe('connected')
    expect(connection.tools.map((tool) => tool.name)).toEqual(['echo', 'sleep'])
  })

  test('a server that forgets every session at once is not asked for ever', async () => {
    await using peer = await startOddHttp()
    await using scene = openScene()
    const connection = await scene.start('forgetful', http(peer.url))
    peer.odd = ({ message, plain }) => {
      if (message.method !== 'tools/call') return false
      plain(404, 'session not found')
      return true
    }
    await expect(connection.callTool('echo', {})).rejects.toMatchObject({ code: 'transport' })
    expect(countOf(peer.seen, 'POST tools/call')).toBe(2)
  })

  test('is ended when we leave', async () => {
    await using peer = await startOddHttp()
    const scene = openScene()
    await scene.start('leaving', http(peer.url))
    await scene.set.close()
    expect(peer.seen.at(-1)).toBe('DELETE')
    expect(peer.sessions.size).toBe(0)
  })
})

describe('the stream for messages of the server', () => {
  const announcing = {
    capabilities: { tools: { listChanged: true } },
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'x', version: '1' },
  }

  test.each([404, 405, 406, 400])('is not missed when GET is answered %i', async (status) => {
    await using peer = await startOddHttp(({ request, message, plain, result }) => {
      if (message.method === 'initialize') result(announcing, { 'mcp-session-id': 's' })
      else if (request.method === 'GET') plain(status)
      else return false
      return true
    })
    peer.sessions.add('s')
    await using scene = openScene()
    const connection = await scene.start('nostream', http(peer.url))
    await eventually('GET was tried', () => countOf(peer.seen, 'GET') === 1)
    expect(await textOf(connection, 'echo', { text: 'x' })).toBe('x')
    expect(countOf(peer.seen, 'GET')).toBe(1)
  })

  test('is not opened when the server announced nothing that would travel on it', async () => {
    await using peer = await startOddHttp()
    await using scene = openScene()
    const connection = await scene.start('quiet', http(peer.url))
    await textOf(connection, 'echo', { text: 'x' })
    expect(countOf(peer.seen, 'GET')).toBe(0)
  })

  test.each([
    ['plain text', 'text/plain'],
    ['an event stream that ends at once', 'text/event-stream'],
  ])('backs off when it is %s', async (_, type) => {
    const times: number[] = []
    await using peer = await startOddHttp(({ request, message, plain, result }) => {
      if (message.method === 'initialize') result(announcing, { 'mcp-session-id': 's' })
      else if (request.method === 'GET') {
        times.push(performance.now())
        plain(200, '', { 'content-type': type })
      } else return false
      return true
    })
    peer.sessions.add('s')
    await using scene = openScene()
    await scene.start('short', http(peer.url))
    const expected = type === 'text/plain' ? 1 : 3
    await eventually('it was tried', () => times.length >= expected)
    if (type === 'text/event-stream') {
      const gaps = times.slice(1).map((time, index) => time - times[index]!)
      expect(gaps[1]!).toBeGreaterThan(gaps[0]! * 1.5)
    }
  })

  test('brings changed tools, however many notices come at once', async () => {
    let tools = ['one']
    let stream: ServerResponse | undefined
    await using peer = await startOddHttp(({ request, response, message, result }) => {
      if (message.method === 'initialize') result(announcing, { 'mcp-session-id': 's' })
      else if (message.method === 'tools/list')
        result({ tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })) })
      else if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.flushHeaders()
        stream = response
      } else return false
      return true
    })
    peer.sessions.add('s')
    await using scene = openScene()
    const connection = await scene.start('changing', http(peer.url))
    await eventually('the stream is open', () => stream !== undefined)
    const before = connection.tools
    tools = ['one', 'two']
    stream!.write(
      `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })}\n\n`.repeat(200),
    )
    await eventually('the new tool is there', () => connection.tools.length === 2)
    expect(connection.tools).not.toBe(before)
    expect(connection.status).toMatchObject({ toolCount: 2 })
    expect(countOf(peer.seen, 'POST tools/list')).toBeLessThanOrEqual(3)
  })
})

test('late results of an old definition change nothing', async () => {
  let release: (() => void) | undefined
  await using slow = await startOddHttp(async ({ message }) => {
    if (message.method === 'tools/list') await new Promise<void>((resolve) => (release = resolve))
    return false
  })
  await using fast = await startOddHttp()
  await using scene = openScene()
  const connection = scene.set.start(define('edited', http(slow.url)))
  await eventually('the old one is listing', () => release !== undefined)
  scene.set.start(define('edited', http(fast.url)))
  const { since } = await untilState(connection, 'connected')
  release!()
  await textOf(connection, 'echo', { text: 'x' })
  expect(connection.status).toMatchObject({ state: 'connected', since })
  scene.set.start(define('edited', http(fast.url, { enabled: false })))
  expect(connection.status).toEqual({ state: 'disabled' })
  expect(connection.tools).toEqual([])
})
