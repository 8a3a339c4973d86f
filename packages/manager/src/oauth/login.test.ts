import { startAuthorizationServer, startProtectedServer } from '@dsh-mcp/testkit'
import { describe, expect, test } from 'vitest'
import { openRig } from './test-rig.ts'

async function scene(options: Parameters<typeof startAuthorizationServer>[0] = {}) {
  const provider = await startAuthorizationServer(options)
  const target = await startProtectedServer({
    authorizationServers: [provider.origin],
    scopesSupported: ['mcp:read'],
    toolScopes: { edit: 'mcp:write' },
  })
  return {
    provider,
    target,
    async [Symbol.asyncDispose]() {
      await target[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
    },
  }
}

describe('login at a real authorization server', () => {
  test('from the 401 to the tool call', async () => {
    await using s = await scene()
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
})
