import { startProtectedServer, startQuirkyAuthorizationServer } from '@dsh-mcp/testkit'
import type { Quirks } from '@dsh-mcp/testkit'
import { describe, expect, test } from 'vitest'
import { answer, login, openQuirkyScene, tokenForms } from './quirky-scene.ts'
import { openRig } from './test-rig.ts'

describe('callback', () => {
  test('a foreign iss is refused before anything is sent, and its text is not shown', async () => {
    await using scene = await openQuirkyScene({
      quirks: { callback: { iss: 'https://evil.example', error_description: 'call 555' } },
    })
    const outcome = await login(scene)
    expect(outcome).toMatchObject({ result: { ok: false, code: 'issuer-response-mismatch' }, connect: false })
    expect(JSON.stringify(outcome)).not.toContain('555')
    expect(tokenForms(scene)).toEqual([])
  })

  test('an announced iss that is missing is refused', async () => {
    await using scene = await openQuirkyScene({
      quirks: { metadata: () => ({ authorization_response_iss_parameter_supported: true }) },
    })
    expect(await login(scene)).toMatchObject({ result: { ok: false, code: 'issuer-response-mismatch' } })
    expect(tokenForms(scene)).toEqual([])
  })
})

describe('token endpoint', () => {
  test('a redirect is not followed', async () => {
    let reached = false
    await using scene = await openQuirkyScene({
      quirks: {
        intercept({ path }, response) {
          if (path === '/stolen') reached = true
          return path === '/token' && answer(response, 307, '', { location: '/stolen' })
        },
      },
    })
    expect(await login(scene)).toMatchObject({ result: { ok: false, code: 'unsafe-url' } })
    expect(reached).toBe(false)
  })

  test.each([
    ['half a JSON', 200, '{"access_token":"a", "refr'],
    ['an HTML page', 200, '<html>maintenance</html>'],
    ['HTTP 500', 500, 'oops'],
    ['HTTP 429', 429, '{"error":"slow_down"}'],
    ['HTTP 302', 302, ''],
    ['invalid_request', 400, '{"error":"invalid_request"}'],
  ])('a refresh answered with %s keeps the login', async (_, status, body) => {
    let broken = false
    await using scene = await openQuirkyScene({
      quirks: {
        intercept: ({ path }, response) =>
          broken && path === '/token' && answer(response, status, body, { location: '/x' }),
      },
    })
    await login(scene)
    const { tokens } = scene.rig.record()
    broken = true
    scene.target.expireTokens()
    await expect(scene.rig.connection().callTool('whoami', {})).rejects.toThrow()
    await scene.rig.state.reload()
    expect(scene.rig.record().tokens).toEqual(tokens)
    broken = false
    await expect
      .poll(async () => (await scene.rig.connection().reconnect()).state, { timeout: 20_000, interval: 300 })
      .toBe('connected')
  })

  test('an answer that never ends is cut off in time', async () => {
    await using scene = await openQuirkyScene({
      quirks: {
        intercept({ path }, response) {
          if (path !== '/token') return false
          response.writeHead(200, { 'content-type': 'application/json' })
          const timer = setInterval(() => response.write(' '.repeat(64 * 1024)), 1)
          response.on('close', () => clearInterval(timer))
          return true
        },
      },
    })
    expect(await login(scene)).toMatchObject({ result: { ok: false, code: 'too-large' } })
  })

  test('a provider that refuses resource: the switch leaves it out everywhere', async () => {
    const entra: Quirks = {
      intercept: ({ path, form }, response) =>
        path === '/token' &&
        form.has('resource') &&
        answer(response, 400, '{"error":"invalid_target","error_description":"AADSTS9010010: resource"}'),
    }
    await using refused = await openQuirkyScene({ quirks: entra })
    const outcome = await login(refused)
    expect(outcome.result).toMatchObject({
      ok: false,
      code: 'exchange-refused',
      detail: expect.stringContaining('oauthResource'),
    })

    await using scene = await openQuirkyScene({ quirks: entra, server: { oauthResource: false } })
    expect((await login(scene)).result).toMatchObject({ ok: true })
    scene.target.expireTokens()
    await scene.rig.connection().callTool('whoami', {})
    expect(tokenForms(scene).some((form) => form.has('resource'))).toBe(false)
    expect(scene.provider.requestsTo('/authorize')[0]?.query.has('resource')).toBe(false)
  })
})

describe('client credentials', () => {
  test('with a secret: connects by itself, renews by itself, nothing on disk', async () => {
    await using provider = await startQuirkyAuthorizationServer({ clients: { robot: 'robot-secret' }, expiresIn: 3600 })
    await using target = await startProtectedServer({
      authorizationServers: [provider.issuer],
      async verify(token) {
        const scopes = provider.scopesOf(token)
        return scopes === undefined ? undefined : { scopes }
      },
    })
    const server = {
      url: target.url,
      oauthGrant: 'client_credentials',
      clientId: 'robot',
      clientSecretEnv: 'R',
      scope: 'mcp:run',
    }
    await using rig = await openRig(server)
    expect(rig.connection().status).toMatchObject({
      state: 'needs-auth',
      reason: expect.stringContaining('variable R'),
    })
    rig.environment['R'] = 'robot-secret'
    await rig.connection().reconnect()
    expect(rig.connection().status, rig.log()).toMatchObject({ state: 'connected' })
    target.expireTokens()
    await rig.connection().callTool('whoami', {})
    expect(provider.requestsTo('/token').map(({ form }) => form.get('grant_type'))).toEqual([
      'client_credentials',
      'client_credentials',
    ])
    expect(rig.record()).toEqual({})
    rig.environment['R'] = 'wrong'
    target.expireTokens()
    await expect(rig.connection().callTool('whoami', {})).rejects.toThrow(
      /refused the client credentials.*invalid_client/,
    )
  })
})
