import { describe, expect, test } from 'vitest'
import { answer, login, openQuirkyScene, tokenForms } from './quirky-scene.ts'

describe('403', () => {
  const needsWrite = () => ({ scopesSupported: ['read'], toolScopes: { edit: 'write' } })

  test('a challenge with only the missing scope: the next login asks for the union', async () => {
    await using scene = await openQuirkyScene({ target: needsWrite })
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
    await using scene = await openQuirkyScene({
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
    await using scene = await openQuirkyScene({ target: needsWrite, rig: { stepUpWaitMs: () => 50 } })
    await login(scene)
    await expect(scene.rig.connection().callTool('edit', {})).rejects.toThrow(/insufficient scope \(write\)/)
  })

  test('a bare 403 on one tool is that call only', async () => {
    await using scene = await openQuirkyScene({ target: () => ({ forbiddenTools: ['secret'] }) })
    await login(scene)
    const connection = scene.rig.connection()
    await expect(connection.callTool('secret', {})).rejects.toThrow(/403/)
    expect(connection.status.state).toBe('connected')
    await connection.callTool('whoami', {})
  })

  test('a bare 403 at connect: insufficient scope, tokens kept', async () => {
    let forbid = false
    await using scene = await openQuirkyScene({
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
    await using scene = await openQuirkyScene({
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
