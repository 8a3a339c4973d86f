import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { eventually, freePort, startEverything, startOddHttp } from '@dsh-mcp/testkit'
import { describe, expect, test } from 'vitest'
import type { Authorization, Challenge } from '../authorization.ts'
import { define, openScene, textOf, untilState } from '../test-scene.ts'

const http = (url: string, more: object = {}) => ({ type: 'http', url, authMode: 'none', ...more })
const countOf = (seen: readonly string[], what: string): number => seen.filter((one) => one === what).length

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

describe('HTTP+SSE', () => {
  test('of the reference server is found by itself', async () => {
    await using peer = await startEverything('sse')
    await using scene = openScene()
    const connection = await scene.start('sse', http(peer.url))
    expect(connection.status).toMatchObject({ state: 'connected', transport: 'http-sse', era: 'legacy', toolCount: 13 })
    expect(await textOf(connection, 'echo', { message: 'hello' })).toBe('Echo: hello')
  })

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
  const streams: ServerResponse[] = []

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

describe('what goes wrong', () => {
  test('a refused connection, said in plain words', async () => {
    await using scene = openScene()
    const connection = await scene.start('closed', http(`http://127.0.0.1:${await freePort()}/mcp`))
    expect(connection.status).toMatchObject({ state: 'error', reason: expect.stringContaining('ECONNREFUSED') })
  })

  test('a port that HTTP may not use', async () => {
    await using scene = openScene()
    const connection = await scene.start('port', http('http://127.0.0.1:6000/mcp'))
    expect(connection.status).toMatchObject({
      state: 'error',
      reason: expect.stringContaining('port 6000 may not be used'),
    })
  })

  test('a name that does not exist', async () => {
    await using scene = openScene({ environment: {} })
    const connection = await scene.start('nowhere', http('https://nonexistent.invalid/mcp'))
    expect(connection.status).toMatchObject({ state: 'error', reason: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) })
  })

  test('a redirect is not followed, and headers go to nobody else', async () => {
    await using target = await startOddHttp()
    await using peer = await startOddHttp(({ plain }) => {
      plain(307, '', { location: target.url })
      return true
    })
    await using scene = openScene()
    const connection = await scene.start('moved', http(peer.url, { headers: { 'x-key': 'secret-key-1' } }))
    expect(connection.status).toMatchObject({
      state: 'error',
      reason: expect.stringContaining(`redirects (HTTP 307) to ${target.url}`),
    })
    expect(target.seen).toEqual([])
  })

  test('a server that dies between calls: the call fails, the server is shown as failed', async () => {
    const peer = await startOddHttp()
    await using scene = openScene()
    const connection = await scene.start('dies', http(peer.url))
    await peer[Symbol.asyncDispose]()
    await expect(connection.callTool('echo', {})).rejects.toMatchObject({ code: 'transport' })
    await untilState(connection, 'error')
    expect(connection.tools).toEqual([])
  })

  test('a call that times out fails alone, and names its budget', async () => {
    await using peer = await startOddHttp()
    await using scene = openScene()
    const connection = await scene.start('slow', http(peer.url, { timeout: 1000 }))
    await expect(connection.callTool('sleep', { ms: 20_000 })).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('1000 ms'),
    })
    expect(connection.status.state).toBe('connected')
    expect(await textOf(connection, 'echo', { text: 'next' })).toBe('next')
  })

  test('a cancelled call ends at once', async () => {
    await using peer = await startOddHttp()
    await using scene = openScene()
    const connection = await scene.start('cancel', http(peer.url))
    const abort = new AbortController()
    const call = connection.callTool('sleep', { ms: 60_000 }, { signal: abort.signal })
    await eventually('the call is at the server', () => countOf(peer.seen, 'POST tools/call') === 1)
    abort.abort()
    await expect(call).rejects.toMatchObject({ code: 'aborted' })
  })
})

describe('headers and credentials', () => {
  test('values, variables and references', async () => {
    await using peer = await startOddHttp()
    const environment = { WHO: 'me', VALUE: 'from-env' }
    await using scene = openScene({ environment })
    await scene.start('headers', {
      ...http(`${peer.url}?who=\${WHO}`),
      headers: { 'X-Plain': 'a', 'X-Reference': '${WHO}-${NOPE:-x}', Accept: 'text/html' },
      headerEnv: { 'X-Env': 'VALUE' },
    })
    const { headers, url } = peer.requests.at(-1)!
    expect(headers).toMatchObject({ 'x-plain': 'a', 'x-reference': 'me-x', 'x-env': 'from-env' })
    expect(headers.accept).toContain('text/event-stream')
    expect(headers.authorization).toBeUndefined()
    expect(url).toBe('/mcp?who=me')
  })

  test('a static token by variable; a missing one is not an error to retry', async () => {
    await using peer = await startOddHttp()
    await using scene = openScene({ environment: { MY_TOKEN: 'token-value-1' } })
    const connection = await scene.start('static', http(peer.url, { authMode: 'static', tokenEnv: 'MY_TOKEN' }))
    expect(connection.status.state).toBe('connected')
    expect(peer.requests.every(({ headers }) => headers.authorization === 'Bearer token-value-1')).toBe(true)
    const missing = await scene.start('missing', http(peer.url, { authMode: 'static', tokenEnv: 'NO_SUCH' }))
    expect(missing.status).toMatchObject({ state: 'needs-auth', reason: expect.stringContaining('NO_SUCH') })
  })

  /** An authorization that is told what to say, and notes what it is asked. */
  function scripted(decisions: { readonly on401?: object; readonly on403?: object }) {
    const asked: Challenge[] = []
    const tokens = ['old', 'new']
    const authorization = {
      token: async () => tokens[Math.min(asked.length, 1)],
      onUnauthorized: async (challenge: Challenge) => (asked.push(challenge), decisions.on401 ?? { action: 'fail' }),
      onForbidden: async (challenge: Challenge) => (asked.push(challenge), decisions.on403 ?? { action: 'fail' }),
    } as Authorization
    return { asked, authorization }
  }
  const guarded = () =>
    startOddHttp(({ request, plain }) => {
      if (request.headers.authorization === 'Bearer new') return false
      plain(401, '', { 'www-authenticate': 'Bearer resource_metadata="http://127.0.0.1/meta"' })
      return true
    })

  test('a 401 is handed to the authorization, and the request repeated once', async () => {
    await using peer = await guarded()
    const { asked, authorization } = scripted({ on401: { action: 'retry' } })
    await using scene = openScene({ authorization })
    const connection = await scene.start('oauth', http(peer.url, { authMode: 'oauth' }))
    expect(connection.status.state).toBe('connected')
    expect(asked).toMatchObject([
      { status: 401, token: 'old', challenge: expect.stringContaining('resource_metadata'), method: 'server/discover' },
    ])
  })

  test('a person is needed: shown, and not retried', async () => {
    await using peer = await guarded()
    const { authorization } = scripted({ on401: { action: 'needs-auth', reason: 'log in first' } })
    await using scene = openScene({ authorization })
    const connection = await scene.start('oauth', http(peer.url, { authMode: 'oauth' }))
    expect(connection.status).toEqual({ state: 'needs-auth', reason: 'log in first' })
  })

  test('a missing scope names the scope; a bare 403 of one call is that call only', async () => {
    await using peer = await startOddHttp(({ message, plain }) => {
      if (message.method !== 'tools/call') return false
      const scope = message.params?.arguments?.['text'] === 'scope'
      plain(403, 'no', scope ? { 'www-authenticate': 'Bearer error="insufficient_scope", scope="write"' } : {})
      return true
    })
    const bare = scripted({})
    await using scene = openScene({
      authorize: () => ({
        ...bare.authorization,
        onForbidden: async ({ challenge }) =>
          challenge === undefined
            ? { action: 'fail' }
            : { action: 'needs-auth', reason: 'insufficient scope (write)', missingScope: 'write' },
      }),
    })
    const connection = await scene.start('scoped', http(peer.url, { authMode: 'oauth' }))
    await expect(connection.callTool('echo', { text: 'bare' })).rejects.toMatchObject({
      code: 'transport',
      message: expect.stringContaining('403'),
    })
    expect(connection.status.state).toBe('connected')
    await expect(connection.callTool('echo', { text: 'scope' })).rejects.toMatchObject({ code: 'insufficient-scope' })
    expect(connection.status).toEqual({
      state: 'needs-auth',
      reason: 'insufficient scope (write)',
      missingScope: 'write',
    })
  })

  test('proxies are used, except for loopback', async () => {
    await using peer = await startOddHttp()
    const connected: string[] = []
    const proxy = createServer()
    proxy.on('connect', (request, socket) => {
      connected.push(request.url ?? '')
      const { port } = new URL(peer.url)
      const upstream = connect(Number(port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.pipe(socket).pipe(upstream)
      })
      upstream.on('error', () => socket.destroy())
      socket.on('error', () => upstream.destroy())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    try {
      const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
      await using scene = openScene({ environment: { HTTP_PROXY: address, no_proxy: 'direct.test' } })
      const through = await scene.start('through', http('http://mcp.test/mcp'))
      expect(through.status.state).toBe('connected')
      expect(new Set(connected)).toEqual(new Set(['mcp.test:80']))
      const loopback = await scene.start('loopback', http(peer.url))
      expect(loopback.status.state).toBe('connected')
      const direct = await scene.start('direct', http('http://direct.test/mcp'))
      expect(direct.status.state).toBe('error')
      expect(new Set(connected)).toEqual(new Set(['mcp.test:80']))
    } finally {
      proxy.closeAllConnections()
      proxy.close()
    }
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
