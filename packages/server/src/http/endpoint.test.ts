import { request as httpRequest } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { eventually } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { serve } from '../fixture/serve.ts'
import type { Served } from '../fixture/serve.ts'
import { fixtureTools } from '../fixture/tools.ts'

const call = (name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
})

const quick = { streamAfterMs: 100, keepAliveMs: 100 }

/** A request without fetch, which forbids some headers and methods. */
function raw(
  served: Served,
  method: string,
  headers: Record<string, string> = {},
  path = '/mcp',
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port: served.port, host: '127.0.0.1', method, path, headers })
    request.on('error', reject)
    request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.end()
  })
}

test('an answer is one JSON document, a notification 202 without a body', async () => {
  await using served = await serve()
  const answer = await served.post(call('echo', { a: 1 }))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.get('mcp-session-id')).toBeNull()
  expect(await answer.json()).toMatchObject({ id: 1, result: { content: [{ text: '{"a":1}' }] } })

  const notified = await served.post({ jsonrpc: '2.0', method: 'notifications/initialized' })
  expect(notified.status).toBe(202)
  expect(await notified.text()).toBe('')
})

test('no handshake, no session: a session header of the client is ignored', async () => {
  await using served = await serve()
  const answer = await served.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { 'mcp-session-id': 'mine' })
  expect(answer.headers.get('mcp-session-id')).toBeNull()
  expect(await answer.json()).toMatchObject({ result: { tools: expect.anything() } })
})

test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD'])('%s is 405', async (method) => {
  await using served = await serve()
  const { status, headers } = await raw(served, method, { authorization: `Bearer ${served.token}` })
  expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'POST, OPTIONS' })
})

test('an idle connection is kept for longer than the client is told', async () => {
  await using served = await serve()
  const connections: Socket[] = []
  served.server.on('connection', (socket) => connections.push(socket))
  const answer = await served.post({ jsonrpc: '2.0', id: 1, method: 'ping' })
  expect(answer.headers.get('keep-alive')).toBe('timeout=5')
  await answer.text()
  await eventually('the connection is idle', () => connections[0]?.timeout === 65_000)
})

test('OPTIONS is 204', async () => {
  await using served = await serve()
  const { status, headers } = await raw(served, 'OPTIONS', { authorization: `Bearer ${served.token}` })
  expect({ status, allow: headers.allow }).toEqual({ status: 204, allow: 'POST, OPTIONS' })
})

test.each(['GET', 'DELETE', 'OPTIONS', 'POST'])(
  '%s without a token is 401, also with one in the query',
  async (method) => {
    await using served = await serve()
    const { status, headers, text } = await raw(
      served,
      method,
      {},
      `/mcp?token=${served.token}&access_token=${served.token}`,
    )
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe('Bearer realm="dsh-mcp"')
    expect(text).toContain('dsh-mcp-endpoint.json')
    expect(text).not.toContain(served.token)
  },
)

test('admission comes before the body: a refused client is answered while it still could send', async () => {
  await using served = await serve()
  const status = await new Promise((resolve) => {
    const request = httpRequest({
      port: served.port,
      method: 'POST',
      path: '/mcp',
      headers: { 'content-length': '1000' },
    })
    request.on('response', (response) => {
      resolve(response.statusCode)
      request.destroy()
    })
    request.on('error', () => undefined)
    request.write('{')
  })
  expect(status).toBe(401)
})

test('a slow call becomes an event stream: headers at once, comments, the answer as one message event', async () => {
  let finish: (text: string) => void = () => undefined
  const gated = fixtureTools({ gate: () => new Promise((resolve) => (finish = resolve)) })
  await using served = await serve({ timing: quick, tools: gated })
  // Resolves with the headers, while the tool still runs.
  const answer = await served.post(call('gate'))
  setTimeout(() => finish('opened'), 500)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  expect(answer.headers.get('x-accel-buffering')).toBe('no')
  expect(answer.headers.get('cache-control')).toBe('no-cache, no-transform')
  const text = await answer.text()
  const events = text.split('\n\n').filter((event) => event !== '')
  expect(events.slice(0, -1).length).toBeGreaterThanOrEqual(2)
  expect(new Set(events.slice(0, -1))).toEqual(new Set([': keep-alive']))
  expect(events.at(-1)).toMatch(/^event: message\ndata: \{"jsonrpc":"2\.0","id":1,"result":/)
})

test.each(['application/json', '*/*', ''])('a client that accepts %j waits for its JSON', async (accept) => {
  await using served = await serve({ timing: quick })
  const answer = await served.post(call('wait', { ms: 400 }), { accept })
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(await answer.json()).toMatchObject({ result: { content: [{ text: 'waited 400 ms' }] } })
})

test('a client that leaves ends the wait and nothing else', async () => {
  let reason: unknown
  const hang = fixtureTools({
    hang: (_, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason
          resolve('')
        })
      }),
  })
  await using served = await serve({ tools: hang, timing: quick })
  const abort = new AbortController()
  const hanging = fetch(served.url, {
    method: 'POST',
    headers: { authorization: `Bearer ${served.token}`, accept: 'text/event-stream' },
    body: JSON.stringify(call('hang')),
    signal: abort.signal,
  })
  await (await hanging).body?.getReader().read()
  const other = served.post(call('wait', { ms: 300 }))
  abort.abort()
  await eventually('the tool hears of it', () => reason !== undefined)
  expect(String(reason)).toContain('gone')
  expect(await (await other).text()).toContain('waited 300 ms')
})

test('closing the endpoint answers those who wait and breaks off what does not end', async () => {
  const deaf = fixtureTools({ deaf: () => new Promise(() => undefined) })
  await using served = await serve({ tools: deaf })
  const waiting = served.post(call('wait'))
  const stuck = served.post(call('deaf')).catch((error: unknown) => error)
  await served.post(call('echo'))
  await served.closeEndpoint()
  expect(await (await waiting).json()).toMatchObject({ result: { content: [{ text: 'aborted' }] } })
  expect(await stuck).toBeInstanceOf(Error)
})

test('a call whose body is still on the way when the endpoint closes is ended too', async () => {
  const deaf = fixtureTools({ deaf: () => new Promise(() => undefined) })
  await using served = await serve({ tools: deaf })
  const late = (name: string) => {
    const body = JSON.stringify(call(name))
    const headers = { authorization: `Bearer ${served.token}`, 'content-length': String(body.length) }
    const request = httpRequest({ port: served.port, host: '127.0.0.1', method: 'POST', path: '/mcp', headers })
    const answer = new Promise<string>((resolve, reject) => {
      request.on('error', reject)
      request.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve(text))
      })
    })
    request.write(body.slice(0, 5))
    return { answer, send: () => request.end(body.slice(5)) }
  }
  const calls = [late('wait'), late('deaf')] as const
  await served.post(call('echo'))
  await served.closeEndpoint()
  const broken = expect(calls[1].answer).rejects.toThrow('socket hang up')
  for (const { send } of calls) send()
  expect(await calls[0].answer).toContain('aborted')
  await broken
})

test('a listening client is acknowledged, and told when the endpoint closes', async () => {
  await using served = await serve()
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const listen = {
    jsonrpc: '2.0',
    id: 'l',
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true }, _meta },
  }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
  const answer = await served.post(listen, headers)
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const subscription = { _meta: { 'io.modelcontextprotocol/subscriptionId': 'l' } }
  const text = answer.text()
  await served.closeEndpoint()
  const messages = (await text).split('\n').filter((line) => line.startsWith('data: '))
  expect(messages.map((line) => JSON.parse(line.slice(6)) as unknown)).toMatchObject([
    { method: 'notifications/subscriptions/acknowledged', params: { notifications: {}, ...subscription } },
    { id: 'l', result: { resultType: 'complete', ...subscription } },
  ])

  const deaf = await served.post(listen, { ...headers, accept: 'application/json' })
  expect(await deaf.json()).toMatchObject({ error: { code: -32602 } })
})

test('a crash of one call is answered, reported and leaves the next alone', async () => {
  await using served = await serve()
  const answers = await Promise.all([served.post(call('crash')), served.post(call('echo'))])
  const texts = await Promise.all(answers.map((answer) => answer.text()))
  expect(JSON.parse(texts[0]!)).toMatchObject({ error: { code: -32603 } })
  expect(texts.join('')).not.toMatch(/secret|\.ts:|at /)
  expect(JSON.parse(texts[1]!)).toHaveProperty('result')
  expect(served.reported).toEqual([{ method: 'tools/call', error: expect.any(Error) }])
})

test('a client that gives up without headers in one second lives through a call of three', async () => {
  await using served = await serve({ timing: { streamAfterMs: 300, keepAliveMs: 500 } })
  const text = await new Promise<string>((resolve, reject) => {
    const headers = { authorization: `Bearer ${served.token}`, accept: 'application/json, text/event-stream' }
    const request = httpRequest(served.url, { method: 'POST', headers })
    const headersDue = setTimeout(() => request.destroy(new Error('no headers within a second')), 1_000)
    request.on('error', reject)
    request.on('response', (response) => {
      clearTimeout(headersDue)
      let body = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      response.on('end', () => resolve(body))
    })
    request.end(JSON.stringify(call('wait', { ms: 3_000 })))
  })
  expect(text).toContain('waited 3000 ms')
})
