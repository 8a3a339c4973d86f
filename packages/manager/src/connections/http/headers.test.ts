import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { startOddHttp } from '@dsh-mcp/testkit'
import { describe, expect, test } from 'vitest'
import type { Authorization, Challenge } from '../authorization.ts'
import { http, openScene } from '../test-scene.ts'

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

  test.each(['HTTP_PROXY', 'all_proxy'])('a proxy of %s is used, except for loopback', async (variable) => {
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
      await using scene = openScene({ environment: { [variable]: address, no_proxy: 'direct.test' } })
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
