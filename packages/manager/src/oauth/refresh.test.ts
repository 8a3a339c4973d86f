import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { manualClock, openRig, openScene } from './test-rig.ts'
import type { Rig, Scene } from './test-rig.ts'

const refreshes = (scene: Scene) => scene.provider.tokenRequests.filter(({ grant }) => grant === 'refresh_token')

async function loggedIn(scene: Scene, options?: Parameters<typeof openRig>[1]): Promise<Rig> {
  const rig = await openRig({ url: scene.target.url }, options)
  const outcome = await rig.logIn((url) => scene.provider.login(url))
  expect(outcome.result).toMatchObject({ ok: true })
  expect(rig.connection().status.state).toBe('connected')
  return rig
}

test('five calls at once with a refused token share one refresh', async () => {
  await using scene = await openScene()
  await using rig = await loggedIn(scene)
  for (let round = 0; round < 5; round++) {
    scene.target.expireTokens()
    const calls = Array.from({ length: 5 }, () => rig.connection().callTool('whoami', {}))
    expect(await Promise.all(calls)).toHaveLength(5)
  }
  expect(refreshes(scene)).toHaveLength(5)
  expect(refreshes(scene).every(({ ok, resource }) => ok && resource === scene.target.url)).toBe(true)
  expect(rig.connection().status.state).toBe('connected')
})

test('a token of two seconds is replaced before it ends, and calls never fail', async () => {
  await using scene = await openScene({ accessTokenSeconds: 2 })
  await using rig = await loggedIn(scene)
  const until = performance.now() + 5_000
  while (performance.now() < until) {
    await Promise.all(Array.from({ length: 3 }, () => rig.connection().callTool('whoami', {})))
  }
  expect(refreshes(scene).length).toBeGreaterThanOrEqual(2)
  expect(refreshes(scene).filter(({ ok }) => !ok)).toEqual([])
})

test('an expired token is refreshed before the call, so the server sees no 401', async () => {
  const clock = manualClock()
  await using scene = await openScene()
  await using rig = await loggedIn(scene, { clock })
  clock.move(60 * 60_000)
  const before = scene.target.authorizations.length
  await rig.connection().callTool('whoami', {})
  expect(scene.target.authorizations.length - before).toBe(1)
  expect(refreshes(scene)).toHaveLength(1)
  expect(rig.oauth.health(rig.server())).toMatchObject({
    lastRefreshAt: clock.now(),
    lastRefreshError: null,
    needsReauth: false,
    expiresAt: clock.now() + 59 * 60_000,
  })
})

test.each([60, -60])('a clock that jumps by %i minutes loses nothing', async (minutes) => {
  const clock = manualClock()
  await using scene = await openScene()
  await using rig = await loggedIn(scene, { clock })
  clock.move(minutes * 60_000)
  scene.target.expireTokens()
  await rig.connection().callTool('whoami', {})
  clock.move(-minutes * 60_000)
  await rig.connection().callTool('whoami', {})
  expect(refreshes(scene).filter(({ ok }) => !ok)).toEqual([])
  expect(rig.connection().status.state).toBe('connected')
})

test('an outage of a minute keeps the login, and asks the provider seldom', async () => {
  const clock = manualClock()
  await using scene = await openScene()
  await using rig = await loggedIn(scene, { clock })
  const tokens = rig.record().tokens
  scene.provider.outage = 503
  clock.move(60 * 60_000)
  scene.target.expireTokens()
  for (let second = 0; second < 60; second++) {
    await expect(rig.connection().callTool('whoami', {})).rejects.toThrow()
    clock.move(1_000)
  }
  expect(rig.record().tokens).toEqual(tokens)
  expect(rig.oauth.health(rig.server())).toMatchObject({ lastRefreshError: 'server-error', needsReauth: false })
  // Seven attempts, after 0, 1, 3, 7, 15, 30 and 45 s, each of at most two requests.
  expect(scene.provider.turnedAway).toBeGreaterThanOrEqual(7)
  expect(scene.provider.turnedAway).toBeLessThanOrEqual(14)
  scene.provider.outage = undefined
  clock.move(15_000)
  await rig.connection().callTool('whoami', {})
  expect(refreshes(scene)).toMatchObject([{ ok: true }])
})

test('a refused refresh token ends in needs-auth without being sent again', async () => {
  await using scene = await openScene()
  await using rig = await loggedIn(scene)
  const document = JSON.parse(await readFile(rig.path, 'utf8')) as {
    servers: { oauth: { tokens: { refresh_token: string } } }[]
  }
  document.servers[0]!.oauth.tokens.refresh_token = 'spent-long-ago'
  await writeFile(rig.path, JSON.stringify(document))
  await rig.state.reload()
  scene.target.expireTokens()
  await expect(rig.connection().callTool('whoami', {})).rejects.toThrow(/invalid_grant/)
  expect(rig.connection().status).toMatchObject({
    state: 'needs-auth',
    reason: expect.stringContaining('log in again'),
  })
  await rig.connection().reconnect()
  await rig.connection().reconnect()
  expect(refreshes(scene)).toHaveLength(1)
  expect(rig.oauth.health(rig.server())).toMatchObject({ needsReauth: true, lastRefreshError: 'invalid_grant' })
  await rig.logIn((url) => scene.provider.login(url))
  expect(rig.connection().status.state).toBe('connected')
  expect(rig.oauth.health(rig.server())).toMatchObject({ needsReauth: false, lastRefreshError: null })
})

test('a newer token in the file is taken as it is', async () => {
  await using scene = await openScene()
  await using rig = await loggedIn(scene)
  await using other = await openRig({}, { path: rig.path })
  scene.target.expireTokens()
  await other.connection().reconnect()
  await other.connection().callTool('whoami', {})
  expect(refreshes(scene)).toHaveLength(1)
  await rig.connection().callTool('whoami', {})
  expect(refreshes(scene)).toHaveLength(1)
  expect(rig.record().tokens).toEqual(other.record().tokens)
})

test('two processes worth of connections on one file: no refresh token is spent twice', async () => {
  await using scene = await openScene()
  await using rig = await loggedIn(scene)
  await using other = await openRig({}, { path: rig.path })
  for (let round = 0; round < 10; round++) {
    scene.target.expireTokens()
    await Promise.all([rig, other, rig, other].map(({ connection }) => connection().callTool('whoami', {})))
  }
  expect(refreshes(scene).filter(({ ok }) => !ok)).toEqual([])
  const spent = refreshes(scene).map(({ refreshToken }) => refreshToken)
  expect(new Set(spent).size).toBe(spent.length)
})
