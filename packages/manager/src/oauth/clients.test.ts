import type { ServerResponse } from 'node:http'
import { startProtectedServer, startQuirkyAuthorizationServer } from '@dsh-mcp/testkit'
import type { ProtectedServerOptions, QuirkyAuthorizationServer, Quirks } from '@dsh-mcp/testkit'
import { describe, expect, test } from 'vitest'
import { openRig } from './test-rig.ts'
import type { Rig } from './test-rig.ts'

interface Scene extends AsyncDisposable {
  readonly provider: QuirkyAuthorizationServer
  readonly target: Awaited<ReturnType<typeof startProtectedServer>>
  readonly rig: Rig
}

interface SceneOptions {
  readonly quirks?: Quirks
  readonly target?: (provider: QuirkyAuthorizationServer) => ProtectedServerOptions
  readonly server?: Readonly<Record<string, unknown>>
  readonly environment?: Readonly<Record<string, string>>
  readonly rig?: Parameters<typeof openRig>[1]
}

async function open({ quirks = {}, target, server, environment, rig: rigOptions }: SceneOptions = {}): Promise<Scene> {
  const provider = await startQuirkyAuthorizationServer({ registration: true, expiresIn: 3600, ...quirks })
  const protectedServer = await startProtectedServer({
    authorizationServers: [provider.issuer],
    async verify(token) {
      const scopes = provider.scopesOf(token)
      return scopes === undefined ? undefined : { scopes }
    },
    ...target?.(provider),
  })
  const rig = await openRig({ url: protectedServer.url, ...server }, rigOptions)
  Object.assign(rig.environment, environment)
  return {
    provider,
    target: protectedServer,
    rig,
    async [Symbol.asyncDispose]() {
      await rig[Symbol.asyncDispose]()
      await protectedServer[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
    },
  }
}

const answer = (response: ServerResponse, status: number, body = '', headers: Record<string, string> = {}): true => {
  response.writeHead(status, headers).end(body)
  return true
}

const login = ({ rig, provider }: Scene) => rig.logIn((url) => provider.login(url))
const tokenForms = ({ provider }: Scene) =>
  provider.requests.filter(({ path }) => path.endsWith('/token')).map(({ form }) => form)

describe('a provider shaped like GitHub', () => {
  const github: SceneOptions = {
    quirks: {
      registration: false,
      issuerPath: '/login/oauth',
      clients: { 'manual-id': 'a-secret-value' },
      metadata: () => ({ token_endpoint_auth_methods_supported: undefined }),
    },
    server: { scope: 'repo read:org' },
  }

  test('without a Client ID the text names the redirect URI to enter there', async () => {
    await using scene = await open(github)
    const failure = scene.rig.begin()
    await expect(failure).rejects.toMatchObject({ code: 'registration-unavailable' })
    await expect(failure).rejects.toThrow('http://127.0.0.1:3080/mcp-manager/callback/Qk3vW0aZ9-x')
    await expect(failure).rejects.toThrow(/Client ID/)
  })

  test('with Client ID and secret: path issuer, configured scopes, client_secret_post on exchange and refresh', async () => {
    await using scene = await open({
      ...github,
      server: { ...github.server, clientId: 'manual-id', clientSecretEnv: 'GH_SECRET' },
      environment: { GH_SECRET: 'a-secret-value' },
    })
    const outcome = await login(scene)
    expect(outcome.result, scene.rig.log()).toMatchObject({ ok: true })
    expect(scene.provider.requestsTo('/login/oauth/authorize')[0]?.query.get('scope')).toBe('repo read:org')
    scene.target.expireTokens()
    await scene.rig.connection().callTool('whoami', {})
    const forms = tokenForms(scene)
    expect(forms.map((form) => form.get('grant_type'))).toEqual(['authorization_code', 'refresh_token'])
    for (const form of forms) {
      expect(form.get('client_id')).toBe('manual-id')
      expect(form.get('client_secret')).toBe('a-secret-value')
    }
    expect(scene.rig.log()).not.toContain('a-secret-value')
    expect(JSON.stringify(scene.rig.record())).not.toContain('a-secret-value')
  })

  test('the secret is read at each use, and a missing one is named', async () => {
    await using scene = await open({
      ...github,
      server: { ...github.server, clientId: 'manual-id', clientSecretEnv: 'GH_SECRET' },
      environment: { GH_SECRET: 'a-secret-value' },
    })
    await login(scene)
    delete scene.rig.environment['GH_SECRET']
    scene.target.expireTokens()
    await expect(scene.rig.connection().callTool('whoami', {})).rejects.toThrow(/GH_SECRET/)
    expect(tokenForms(scene)).toHaveLength(1)
    scene.rig.environment['GH_SECRET'] = 'a-secret-value'
    await scene.rig.connection().reconnect()
    await expect
      .poll(async () => (await scene.rig.connection().reconnect()).state, { timeout: 20_000, interval: 300 })
      .toBe('connected')
  })

  test('a token without a life and without a refresh token is used until the server refuses it', async () => {
    await using scene = await open({
      ...github,
      quirks: { ...github.quirks, expiresIn: undefined, refreshTokens: false, clients: { 'manual-id': undefined } },
      server: { ...github.server, clientId: 'manual-id' },
    })
    await login(scene)
    await scene.rig.connection().callTool('whoami', {})
    scene.target.expireTokens()
    await expect(scene.rig.connection().callTool('whoami', {})).rejects.toThrow(/no refresh token; log in again/)
  })

  test('an error with status 200 is an error', async () => {
    await using scene = await open({
      quirks: {
        intercept: ({ path }, response) =>
          path === '/token' &&
          answer(response, 200, '{"error":"bad_verification_code"}', { 'content-type': 'application/json' }),
      },
    })
    expect(await login(scene)).toMatchObject({
      result: { ok: false, code: 'exchange-refused', detail: expect.stringContaining('bad_verification_code') },
    })
  })
})

describe('client authentication', () => {
  test.each([
    [['client_secret_basic'], 'basic'],
    [['client_secret_basic', 'client_secret_post'], 'post'],
    [undefined, 'post'],
  ])('announced %j: %s', async (announced, expected) => {
    await using scene = await open({
      quirks: {
        registration: false,
        clients: { 'manual:id': 'a secret/+%' },
        metadata: () => ({ token_endpoint_auth_methods_supported: announced }),
      },
      server: { clientId: 'manual:id', clientSecretEnv: 'S' },
      environment: { S: 'a secret/+%' },
    })
    expect((await login(scene)).result, scene.rig.log()).toMatchObject({ ok: true })
    const [request] = scene.provider.requestsTo('/token')
    expect(request?.authorization?.startsWith('Basic ') ?? false).toBe(expected === 'basic')
    expect(request?.form.has('client_secret')).toBe(expected === 'post')
  })
})

describe('discovery', () => {
  test.each([401, 403, 404, 405, 410])('HTTP %i on the path form: the root document is asked', async (status) => {
    await using scene = await open({
      target: (provider) => ({
        authorizationServers: undefined,
        intercept(request, response) {
          if (request.url === '/.well-known/oauth-protected-resource/mcp') return answer(response, status)
          if (request.url !== '/.well-known/oauth-protected-resource') return false
          const origin = `http://${request.headers.host}`
          return answer(response, 200, JSON.stringify({ resource: origin, authorization_servers: [provider.issuer] }))
        },
      }),
    })
    expect((await login(scene)).result, scene.rig.log()).toMatchObject({ ok: true })
    // The published string, without a slash that nobody wrote (RFC 8707).
    expect(tokenForms(scene)[0]?.get('resource')).toBe(scene.target.origin)
    expect(scene.provider.requestsTo('/authorize')[0]?.query.get('resource')).toBe(scene.target.origin)
  })

  test('HTTP 500 is an outage: no guess, no next candidate', async () => {
    await using scene = await open({
      target: () => ({
        intercept: (request, response) => request.url?.startsWith('/.well-known/') === true && answer(response, 500),
      }),
    })
    await expect(scene.rig.begin()).rejects.toMatchObject({ code: 'server-error', status: 500, stage: 'discovery' })
    expect(scene.rig.log()).not.toContain('guess')
  })

  test('nothing published: the guess is marked as one', async () => {
    await using scene = await open({
      target: () => ({
        authorizationServers: undefined,
        intercept: (request, response) =>
          request.url === '/register' && answer(response, 403, '{"error":"access_denied"}'),
      }),
    })
    await expect(scene.rig.begin()).rejects.toThrow(/guess/)
    expect(scene.rig.log()).toContain('fallback guess')
  })

  test('a refused registration says stage, status, code and what to do', async () => {
    await using scene = await open({
      quirks: {
        intercept: ({ path }, response) => path === '/register' && answer(response, 403, '{"error":"access_denied"}'),
      },
    })
    const failure = scene.rig.begin()
    await expect(failure).rejects.toMatchObject({
      code: 'registration-refused',
      stage: 'register',
      status: 403,
      providerError: 'access_denied',
    })
    await expect(failure).rejects.toThrow(/HTTP 403 access_denied.*redirect URI.*Client ID/)
  })

  test('the challenge URL is asked as it stands', async () => {
    await using scene = await open()
    await login(scene)
    expect(scene.target.paths.filter((path) => path.includes('.well-known'))).toContain(
      '/.well-known/oauth-protected-resource/mcp',
    )
    expect(scene.target.paths.some((path) => path.includes('.well-known/oauth-protected-resource/.well-known'))).toBe(
      false,
    )
  })

  test('a foreign resource is refused, and both strings are named', async () => {
    await using scene = await open({ target: () => ({ resource: (url) => url.replace('http://', 'https://') }) })
    const failure = scene.rig.begin()
    await expect(failure).rejects.toMatchObject({ code: 'resource-mismatch' })
    await expect(failure).rejects.toThrow(scene.target.url)
    await expect(failure).rejects.toThrow(scene.target.url.replace('http://', 'https://'))
  })

  test('a foreign issuer in the metadata is refused', async () => {
    await using scene = await open({ quirks: { metadata: (origin) => ({ issuer: `${origin}/other` }) } })
    await expect(scene.rig.begin()).rejects.toMatchObject({ code: 'issuer-mismatch' })
  })

  test.each([[undefined], [[]], [['plain']]])('metadata with PKCE methods %j is refused', async (methods) => {
    await using scene = await open({ quirks: { metadata: () => ({ code_challenge_methods_supported: methods }) } })
    await expect(scene.rig.begin()).rejects.toMatchObject({ code: 'pkce-unsupported' })
  })

  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://plain.example/authorize',
    'data:text/html,x',
    'not a url',
  ])('authorization endpoint %s is refused', async (endpoint) => {
    await using scene = await open({ quirks: { metadata: () => ({ authorization_endpoint: endpoint }) } })
    await expect(scene.rig.begin()).rejects.toMatchObject({ code: 'unsafe-url' })
  })

  test('a server that answers without a login and publishes nothing needs none', async () => {
    await using scene = await open({
      target: () => ({
        authorizationServers: undefined,
        intercept: (request, response) => request.url === '/mcp' && answer(response, 200, '{}'),
      }),
    })
    await expect(scene.rig.begin()).rejects.toMatchObject({ code: 'no-login-needed' })
  })
})

describe('callback', () => {
  test('a foreign iss is refused before anything is sent, and its text is not shown', async () => {
    await using scene = await open({
      quirks: { callback: { iss: 'https://evil.example', error_description: 'call 555' } },
    })
    const outcome = await login(scene)
    expect(outcome).toMatchObject({ result: { ok: false, code: 'issuer-response-mismatch' }, connect: false })
    expect(JSON.stringify(outcome)).not.toContain('555')
    expect(tokenForms(scene)).toEqual([])
  })

  test('an announced iss that is missing is refused', async () => {
    await using scene = await open({
      quirks: { metadata: () => ({ authorization_response_iss_parameter_supported: true }) },
    })
    expect(await login(scene)).toMatchObject({ result: { ok: false, code: 'issuer-response-mismatch' } })
    expect(tokenForms(scene)).toEqual([])
  })
})

describe('token endpoint', () => {
  test('a redirect is not followed', async () => {
    let reached = false
    await using scene = await open({
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
    await using scene = await open({
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
    await using scene = await open({
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
    await using refused = await open({ quirks: entra })
    const outcome = await login(refused)
    expect(outcome.result).toMatchObject({
      ok: false,
      code: 'exchange-refused',
      detail: expect.stringContaining('oauthResource'),
    })

    await using scene = await open({ quirks: entra, server: { oauthResource: false } })
    expect((await login(scene)).result).toMatchObject({ ok: true })
    scene.target.expireTokens()
    await scene.rig.connection().callTool('whoami', {})
    expect(tokenForms(scene).some((form) => form.has('resource'))).toBe(false)
    expect(scene.provider.requestsTo('/authorize')[0]?.query.has('resource')).toBe(false)
  })
})

describe('a provider that forgets registered clients', () => {
  test('at the exchange: the client is dropped, and the next login registers once', async () => {
    await using scene = await open()
    const callback = await scene.provider.login(await scene.rig.begin())
    scene.provider.forgetClients()
    expect(await scene.rig.oauth.completeAuthorization(callback)).toMatchObject({
      result: { ok: false, code: 'client-forgotten' },
    })
    expect((await login(scene)).result).toMatchObject({ ok: true })
    expect(scene.provider.requestsTo('/register')).toHaveLength(2)
  })

  test('at the refresh: needs-auth, and the login after it works', async () => {
    await using scene = await open()
    await login(scene)
    scene.provider.forgetClients()
    scene.target.expireTokens()
    await expect(scene.rig.connection().callTool('whoami', {})).rejects.toThrow(/invalid_client/)
    expect((await login(scene)).result).toMatchObject({ ok: true })
    expect(scene.provider.requestsTo('/register')).toHaveLength(2)
  })

  test('at the login page, which nobody comes back from: the next attempt registers anew, once', async () => {
    await using scene = await open({
      server: {
        oauth: { clientId: 'of-last-year', redirect: 'http://127.0.0.1:3080/mcp-manager/callback/Qk3vW0aZ9-x' },
      },
    })
    await expect(scene.provider.login(await scene.rig.begin())).rejects.toThrow(/unknown client/)
    expect((await login(scene)).result).toMatchObject({ ok: true })
    expect(scene.provider.requestsTo('/register')).toHaveLength(1)
  })

  test('a manual client is never replaced', async () => {
    await using scene = await open({ quirks: { clients: {} }, server: { clientId: 'manual' } })
    await expect(scene.provider.login(await scene.rig.begin())).rejects.toThrow(/unknown client/)
    await expect(scene.provider.login(await scene.rig.begin())).rejects.toThrow(/unknown client/)
    expect(scene.provider.requestsTo('/register')).toEqual([])
  })
})

describe('403', () => {
  const needsWrite = () => ({ scopesSupported: ['read'], toolScopes: { edit: 'write' } })

  test('a challenge with only the missing scope: the next login asks for the union', async () => {
    await using scene = await open({ target: needsWrite })
    await login(scene)
    const { tokens } = scene.rig.record()
    await expect(scene.rig.connection().callTool('edit', {})).rejects.toThrow(/insufficient scope \(write\)/)
    expect(scene.rig.connection().status).toMatchObject({ state: 'needs-auth', missingScope: 'write' })
    await scene.rig.state.reload()
    expect(scene.rig.record().tokens).toEqual(tokens)
    expect(tokenForms(scene)).toHaveLength(1)
    await login(scene)
    expect(scene.provider.requestsTo('/authorize').at(-1)?.query.get('scope')).toBe('read write')
    await scene.rig.connection().callTool('edit', {})
  })

  test('the refused call waits for the person and goes on over its own session', async () => {
    const needed: (string | undefined)[] = []
    await using scene = await open({
      target: needsWrite,
      rig: { stepUpWaitMs: () => 60_000, onScopeNeeded: (_, missing) => void needed.push(missing) },
    })
    await login(scene)
    const { since } = scene.rig.connection().status as { since?: number }
    const calls = [scene.rig.connection().callTool('edit', {}), scene.rig.connection().callTool('edit', {})]
    await expect.poll(() => needed.length, { timeout: 20_000 }).toBe(2)
    expect(needed).toEqual(['write', 'write'])
    expect(await login(scene)).toMatchObject({ result: { ok: true }, resumedCalls: 2 })
    expect(await Promise.all(calls)).toMatchObject([{}, {}])
    expect(needed).toEqual(['write', 'write', undefined])
    expect(scene.rig.connection().status).toMatchObject({ state: 'connected', since })
  })

  test('a call that waits in vain says which scope it lacks', async () => {
    await using scene = await open({ target: needsWrite, rig: { stepUpWaitMs: () => 50 } })
    await login(scene)
    await expect(scene.rig.connection().callTool('edit', {})).rejects.toThrow(/insufficient scope \(write\)/)
  })

  test('a bare 403 on one tool is that call only', async () => {
    await using scene = await open({ target: () => ({ forbiddenTools: ['secret'] }) })
    await login(scene)
    const connection = scene.rig.connection()
    await expect(connection.callTool('secret', {})).rejects.toThrow(/403/)
    expect(connection.status.state).toBe('connected')
    await connection.callTool('whoami', {})
  })

  test('a bare 403 at connect: insufficient scope, tokens kept', async () => {
    let forbid = false
    await using scene = await open({
      target: () => ({ intercept: (request, response) => forbid && request.url === '/mcp' && answer(response, 403) }),
    })
    await login(scene)
    const { tokens } = scene.rig.record()
    forbid = true
    await scene.rig.connection().reconnect()
    expect(scene.rig.connection().status).toMatchObject({
      state: 'needs-auth',
      reason: expect.stringContaining('insufficient scope'),
    })
    expect(scene.rig.record().tokens).toEqual(tokens)
    forbid = false
    await scene.rig.connection().reconnect()
    expect(scene.rig.connection().status.state).toBe('connected')
  })

  test('a server that is never content stops the asking', async () => {
    await using scene = await open({
      target: () => ({
        intercept(request, response) {
          if (request.url !== '/mcp' || request.headers.authorization === undefined) return false
          return answer(response, 403, '', { 'www-authenticate': 'Bearer error="insufficient_scope", scope="more"' })
        },
      }),
    })
    for (let round = 0; round < 4; round++) await login(scene)
    const { status } = scene.rig.connection()
    expect(status).toMatchObject({ state: 'error', reason: expect.stringContaining("ask the server's operator") })
  })
})

describe('the server moves to another authorization server', () => {
  test('the old credentials are never sent to it; a new client is registered there', async () => {
    await using other = await startQuirkyAuthorizationServer({ registration: true, expiresIn: 3600 })
    await using scene = await open()
    await login(scene)
    const old = scene.rig.record()
    scene.target.authorizationServers = [other.issuer]
    scene.target.expireTokens()
    await expect(scene.rig.connection().callTool('whoami', {})).rejects.toThrow(/another authorization server/)
    expect(tokenForms(scene)).toHaveLength(1)
    await scene.rig.begin()
    expect(other.requestsTo('/register')).toHaveLength(1)
    const sent = JSON.stringify(other.requests.map(({ form, query }) => [...form, ...query]))
    expect(sent).not.toContain(old.clientId)
    expect(sent).not.toContain(old.tokens?.refresh_token)
  })

  test('a manual client is not taken along', async () => {
    await using other = await startQuirkyAuthorizationServer({ registration: true })
    await using scene = await open({
      quirks: { registration: false, clients: { manual: undefined } },
      server: { clientId: 'manual' },
    })
    await login(scene)
    scene.target.authorizationServers = [other.issuer]
    await expect(scene.rig.begin()).rejects.toMatchObject({ code: 'issuer-changed' })
    await scene.rig.oauth.logOut(scene.rig.server())
    await expect(scene.rig.begin()).resolves.toBeInstanceOf(URL)
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
