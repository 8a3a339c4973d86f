import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { guardedSend } from './guarded-fetch.ts'
import { raceProcesses, startRefresher } from './process-race.ts'
import { openRig, openScene } from './test-rig.ts'

test('two processes, 25 expiries: no login lost, no refresh token spent twice', async () => {
  await raceProcesses(25)
}, 180_000)

test('a process killed before its refresh is sent leaves everything in order', async () => {
  await using scene = await openScene()
  await using rig = await openRig({ url: scene.target.url })
  await rig.logIn((url) => scene.provider.login(url))
  const child = await startRefresher(rig.path, 'before-send')
  scene.target.expireTokens()
  const gone = once(child, 'exit')
  child.send({ call: 1 })
  expect(await gone).toEqual([null, 'SIGKILL'])
  await rig.connection().callTool('whoami', {})
  expect(scene.provider.tokenRequests.at(-1)).toMatchObject({ grant: 'refresh_token', ok: true })
}, 120_000)

test.each(['after-send', 'after-answer'])(
  'a process killed %s cannot save the rotated token: the next one says so, and a new login heals it',
  async (killAt) => {
    await using scene = await openScene()
    await using rig = await openRig({ url: scene.target.url })
    await rig.logIn((url) => scene.provider.login(url))
    const before = await readFile(rig.path, 'utf8')
    const child = await startRefresher(rig.path, killAt)
    scene.target.expireTokens()
    const gone = once(child, 'exit')
    child.send({ call: 1 })
    expect(await gone).toEqual([null, 'SIGKILL'])
    expect(await readFile(rig.path, 'utf8')).toBe(before)
    await expect(rig.connection().callTool('whoami', {})).rejects.toThrow(/invalid_grant/)
    expect(rig.connection().status.state).toBe('needs-auth')
    await rig.logIn((url) => scene.provider.login(url))
    await rig.connection().callTool('whoami', {})
  },
  120_000,
)

test('a rotation that cannot be saved: the token works in memory, no second refresh, a new login heals it', async () => {
  let broken = true
  const send = guardedSend({ environment: {} })
  let path = ''
  let saved = ''
  await using scene = await openScene()
  await using rig = await openRig(
    { url: scene.target.url },
    {
      async send(url, request) {
        const answer = await send(url, request)
        if (broken && request.body?.includes('grant_type=refresh_token') === true) {
          // A directory in the file's place: whoever runs this, the rename fails between rotation and save.
          saved = await readFile(path, 'utf8')
          await rm(path)
          await mkdir(path)
        }
        return answer
      },
    },
  )
  path = rig.path
  await rig.logIn((url) => scene.provider.login(url))
  const refreshes = () => scene.provider.tokenRequests.filter(({ grant }) => grant === 'refresh_token')

  scene.target.expireTokens()
  await rig.connection().callTool('whoami', {})
  await rig.connection().callTool('whoami', {})
  expect(refreshes()).toHaveLength(1)
  expect(rig.oauth.health(rig.server())).toMatchObject({ needsReauth: true, lastRefreshError: 'not-saved' })

  await rm(path, { recursive: true })
  await writeFile(path, saved)
  broken = false
  scene.target.expireTokens()
  await expect(rig.connection().callTool('whoami', {})).rejects.toThrow(/could not be saved/)
  expect(rig.connection().status.state).toBe('needs-auth')
  expect(refreshes()).toHaveLength(1)

  await rig.logIn((url) => scene.provider.login(url))
  scene.target.expireTokens()
  await rig.connection().callTool('whoami', {})
  expect(rig.oauth.health(rig.server())).toMatchObject({ needsReauth: false, lastRefreshError: null })
  expect(refreshes()).toHaveLength(2)
})
