import { describe, expect, test } from 'vitest'
import { manualClock, openRig, openScene, rigOrigin } from './test-rig.ts'

describe('login at a real authorization server', () => {
  test('from the 401 to the tool call', async () => {
    await using s = await openScene()
    await using rig = await openRig({ url: s.target.url })
    expect(rig.connection().status.state).toBe('needs-auth')
    const outcome = await rig.logIn((url) => s.provider.login(url))
    expect(outcome).toMatchObject({ result: { ok: true, serverName: 'demo' }, connect: true })
    expect(rig.connection().status).toMatchObject({ state: 'connected', toolCount: 2 })
    const result = await rig.connection().callTool('whoami', {})
    expect(result.content).toEqual([{ type: 'text', text: 'scopes: mcp:read' }])
    const [asked] = s.provider.authorizationRequests
    expect(asked).toMatchObject({
      resource: s.target.url,
      scope: 'mcp:read offline_access',
      code_challenge_method: 'S256',
      redirect_uri: 'http://127.0.0.1:3080/mcp-manager/callback/Qk3vW0aZ9-x',
    })
    expect(s.provider.tokenRequests).toMatchObject([{ grant: 'authorization_code', resource: s.target.url, ok: true }])
    expect(rig.record()).toMatchObject({
      authorizationServer: s.provider.origin,
      resource: s.target.url,
      resourceMetadataUrl: s.target.metadataUrl,
      tokens: { access_token: expect.any(String), refresh_token: expect.any(String) },
    })
    for (const secret of Object.values(rig.record().tokens ?? {})) {
      if (typeof secret === 'string' && secret.length > 20) expect(rig.log()).not.toContain(secret)
    }
  })

  test('several logins at once, each with its own state', async () => {
    await using s = await openScene()
    await using rig = await openRig({ url: s.target.url })
    const [first, second] = await Promise.all([rig.begin(), rig.begin()])
    expect(first.searchParams.get('state')).not.toBe(second.searchParams.get('state'))
    const [one, two] = await Promise.all([s.provider.login(first), s.provider.login(second)])
    expect(await rig.oauth.completeAuthorization(two)).toMatchObject({ result: { ok: true } })
    expect(await rig.oauth.completeAuthorization(one)).toMatchObject({ result: { ok: true } })
    await rig.connection().reconnect()
    expect(rig.connection().status.state).toBe('connected')
  })

  test('a state works once, and an unknown one never', async () => {
    await using s = await openScene()
    await using rig = await openRig({ url: s.target.url })
    const callback = await s.provider.login(await rig.begin())
    const forged = new URL(callback)
    forged.searchParams.set('state', 'forged')
    expect(await rig.oauth.completeAuthorization(forged)).toMatchObject({
      result: { ok: false, code: 'state-unknown' },
    })
    expect(await rig.oauth.completeAuthorization(callback)).toMatchObject({ result: { ok: true } })
    expect(await rig.oauth.completeAuthorization(callback)).toMatchObject({
      result: { ok: false, code: 'state-expired' },
      connect: false,
    })
    expect(s.provider.tokenRequests).toHaveLength(1)
  })

  test('a login that is not finished in ten minutes is abandoned', async () => {
    const clock = manualClock()
    await using s = await openScene()
    await using rig = await openRig({ url: s.target.url }, { clock })
    const callback = await s.provider.login(await rig.begin())
    clock.move(10 * 60_000)
    expect(rig.abandoned).toEqual([rig.server().id])
    expect(await rig.oauth.completeAuthorization(callback)).toMatchObject({
      result: { ok: false, code: 'state-expired' },
    })
  })

  test('a person who says no changes nothing', async () => {
    await using s = await openScene()
    await using rig = await openRig({ url: s.target.url })
    await rig.logIn((url) => s.provider.login(url))
    const before = rig.record().tokens
    const outcome = await rig.logIn((url) => s.provider.login(url, { abort: true }))
    expect(outcome).toMatchObject({ result: { ok: false, code: 'access-denied' }, connect: false })
    expect(rig.record().tokens).toEqual(before)
    expect((await rig.connection().callTool('whoami', {})).isError).not.toBe(true)
  })

  test('the registered client is used again for the same callback and registered anew for another', async () => {
    await using s = await openScene()
    await using rig = await openRig({ url: s.target.url })
    await rig.begin()
    await rig.begin()
    expect(s.provider.registrations).toBe(1)
    const first = rig.record().clientId
    await rig.oauth.beginAuthorization(rig.server(), 'http://127.0.0.1:4090')
    expect(s.provider.registrations).toBe(2)
    expect(rig.record()).toMatchObject({ redirect: `http://127.0.0.1:4090/mcp-manager/callback/${rig.server().id}` })
    expect(rig.record().clientId).not.toBe(first)
    expect(rigOrigin).not.toBe('http://127.0.0.1:4090')
  })

  test('a new callback address does not spoil the tokens of the running login', async () => {
    await using s = await openScene()
    await using rig = await openRig({ url: s.target.url })
    await rig.logIn((url) => s.provider.login(url))
    const before = rig.record()
    await rig.oauth.beginAuthorization(rig.server(), 'http://127.0.0.1:4090')
    expect(rig.record()).toEqual(before)
    s.target.expireTokens()
    await rig.connection().callTool('whoami', {})
    expect(s.provider.tokenRequests.at(-1)).toMatchObject({ grant: 'refresh_token', ok: true })
  })

  test('logging out revokes at the provider and removes tokens and client', async () => {
    await using s = await openScene()
    await using rig = await openRig({ url: s.target.url, oauth: { scope: 'mcp:read', other: 1 } })
    await rig.logIn((url) => s.provider.login(url))
    expect(await rig.oauth.logOut(rig.server())).toEqual({ revoked: true })
    await rig.state.reload()
    expect(rig.record()).toEqual({ scope: 'mcp:read' })
    expect(s.provider.revocations).toBeGreaterThan(0)
    await rig.connection().reconnect()
    expect(rig.connection().status).toMatchObject({ state: 'needs-auth' })
  })

  test('a client metadata document is used when one is configured and the provider takes it', async () => {
    const document = 'https://client.example/mcp.json'
    const redirect = 'http://127.0.0.1:3080/mcp-manager/callback/Qk3vW0aZ9-x'
    await using s = await openScene({
      clientDocument: (clientId) => ({
        client_id: clientId,
        client_name: 'demo',
        redirect_uris: [redirect],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
      }),
    })
    await using rig = await openRig({ url: s.target.url }, { clientMetadataUrl: document })
    const outcome = await rig.logIn((url) => s.provider.login(url))
    expect(outcome.result).toMatchObject({ ok: true })
    expect(s.provider.registrations).toBe(0)
    s.target.expireTokens()
    await rig.connection().callTool('whoami', {})
    expect(s.provider.tokenRequests.at(-1)).toMatchObject({ grant: 'refresh_token', ok: true })
  })
})
