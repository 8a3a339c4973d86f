import { startQuirkyAuthorizationServer } from '@dsh-mcp/testkit'
import { describe, expect, test } from 'vitest'
import { answer, login, openQuirkyScene, tokenForms } from './quirky-scene.ts'
import type { QuirkySceneOptions } from './quirky-scene.ts'

describe('a provider shaped like GitHub', () => {
  const github: QuirkySceneOptions = {
    quirks: {
      registration: false,
      issuerPath: '/login/oauth',
      clients: { 'manual-id': 'a-secret-value' },
      metadata: () => ({ token_endpoint_auth_methods_supported: undefined }),
    },
    server: { scope: 'repo read:org' },
  }

  test('without a Client ID the text names the redirect URI to enter there', async () => {
    await using scene = await openQuirkyScene(github)
    const failure = scene.rig.begin()
    await expect(failure).rejects.toMatchObject({ code: 'registration-unavailable' })
    await expect(failure).rejects.toThrow('http://127.0.0.1:3080/mcp-manager/callback/Qk3vW0aZ9-x')
    await expect(failure).rejects.toThrow(/Client ID/)
  })

  test('with Client ID and secret: path issuer, configured scopes, client_secret_post on exchange and refresh', async () => {
    await using scene = await openQuirkyScene({
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
    await using scene = await openQuirkyScene({
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
    await using scene = await openQuirkyScene({
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
    await using scene = await openQuirkyScene({
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
    await using scene = await openQuirkyScene({
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

describe('a provider that forgets registered clients', () => {
  test('at the exchange: the client is dropped, and the next login registers once', async () => {
    await using scene = await openQuirkyScene()
    const callback = await scene.provider.login(await scene.rig.begin())
    scene.provider.forgetClients()
    expect(await scene.rig.oauth.completeAuthorization(callback)).toMatchObject({
      result: { ok: false, code: 'client-forgotten' },
    })
    expect((await login(scene)).result).toMatchObject({ ok: true })
    expect(scene.provider.requestsTo('/register')).toHaveLength(2)
  })

  test('at the refresh: needs-auth, and the login after it works', async () => {
    await using scene = await openQuirkyScene()
    await login(scene)
    scene.provider.forgetClients()
    scene.target.expireTokens()
    await expect(scene.rig.connection().callTool('whoami', {})).rejects.toThrow(/invalid_client/)
    expect((await login(scene)).result).toMatchObject({ ok: true })
    expect(scene.provider.requestsTo('/register')).toHaveLength(2)
  })

  test('at the login page, which nobody comes back from: the next attempt registers anew, once', async () => {
    await using scene = await openQuirkyScene({
      server: {
        oauth: { clientId: 'of-last-year', redirect: 'http://127.0.0.1:3080/mcp-manager/callback/Qk3vW0aZ9-x' },
      },
    })
    await expect(scene.provider.login(await scene.rig.begin())).rejects.toThrow(/unknown client/)
    expect((await login(scene)).result).toMatchObject({ ok: true })
    expect(scene.provider.requestsTo('/register')).toHaveLength(1)
  })

  test('a manual client is never replaced', async () => {
    await using scene = await openQuirkyScene({ quirks: { clients: {} }, server: { clientId: 'manual' } })
    await expect(scene.provider.login(await scene.rig.begin())).rejects.toThrow(/unknown client/)
    await expect(scene.provider.login(await scene.rig.begin())).rejects.toThrow(/unknown client/)
    expect(scene.provider.requestsTo('/register')).toEqual([])
  })
})

describe('the server moves to another authorization server', () => {
  test('the old credentials are never sent to it; a new client is registered there', async () => {
    await using other = await startQuirkyAuthorizationServer({ registration: true, expiresIn: 3600 })
    await using scene = await openQuirkyScene()
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
    await using scene = await openQuirkyScene({
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
