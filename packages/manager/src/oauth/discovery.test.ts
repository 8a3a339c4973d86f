import { describe, expect, test } from 'vitest'
import { answer, login, openQuirkyScene, tokenForms } from './quirky-scene.ts'

describe('discovery', () => {
  test.each([401, 403, 404, 405, 410])('HTTP %i on the path form: the root document is asked', async (status) => {
    await using scene = await openQuirkyScene({
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
    await using scene = await openQuirkyScene({
      target: () => ({
        intercept: (request, response) => request.url?.startsWith('/.well-known/') === true && answer(response, 500),
      }),
    })
    await expect(scene.rig.begin()).rejects.toMatchObject({ code: 'server-error', status: 500, stage: 'discovery' })
    expect(scene.rig.log()).not.toContain('guess')
  })

  test('nothing published: the guess is marked as one', async () => {
    await using scene = await openQuirkyScene({
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
    await using scene = await openQuirkyScene({
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
    await using scene = await openQuirkyScene()
    await login(scene)
    expect(scene.target.paths.filter((path) => path.includes('.well-known'))).toContain(
      '/.well-known/oauth-protected-resource/mcp',
    )
    expect(scene.target.paths.some((path) => path.includes('.well-known/oauth-protected-resource/.well-known'))).toBe(
      false,
    )
  })

  test('a foreign resource is refused, and both strings are named', async () => {
    await using scene = await openQuirkyScene({
      target: () => ({ resource: (url) => url.replace('http://', 'https://') }),
    })
    const failure = scene.rig.begin()
    await expect(failure).rejects.toMatchObject({ code: 'resource-mismatch' })
    await expect(failure).rejects.toThrow(scene.target.url)
    await expect(failure).rejects.toThrow(scene.target.url.replace('http://', 'https://'))
  })

  test('a foreign issuer in the metadata is refused', async () => {
    await using scene = await openQuirkyScene({ quirks: { metadata: (origin) => ({ issuer: `${origin}/other` }) } })
    await expect(scene.rig.begin()).rejects.toMatchObject({ code: 'issuer-mismatch' })
  })

  test.each([[undefined], [[]], [['plain']]])('metadata with PKCE methods %j is refused', async (methods) => {
    await using scene = await openQuirkyScene({
      quirks: { metadata: () => ({ code_challenge_methods_supported: methods }) },
    })
    await expect(scene.rig.begin()).rejects.toMatchObject({ code: 'pkce-unsupported' })
  })

  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://plain.example/authorize',
    'data:text/html,x',
    'not a url',
  ])('authorization endpoint %s is refused', async (endpoint) => {
    await using scene = await openQuirkyScene({ quirks: { metadata: () => ({ authorization_endpoint: endpoint }) } })
    await expect(scene.rig.begin()).rejects.toMatchObject({ code: 'unsafe-url' })
  })

  test('a server that answers without a login and publishes nothing needs none', async () => {
    await using scene = await openQuirkyScene({
      target: () => ({
        authorizationServers: undefined,
        intercept: (request, response) => request.url === '/mcp' && answer(response, 200, '{}'),
      }),
    })
    await expect(scene.rig.begin()).rejects.toMatchObject({ code: 'no-login-needed' })
  })
})
