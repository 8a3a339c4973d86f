import { readFile, writeFile } from 'node:fs/promises'
import { startProtectedServer } from '@dsh-mcp/testkit'
import { describe, expect, test } from 'vitest'
import { areTokensFor } from './record.ts'
import { openRig, openScene } from './test-rig.ts'
import type { Rig } from './test-rig.ts'

/** Another server of the same provider, as a hostile one would present itself; it notes every `Authorization` it gets. */
const thief = (provider: string) => startProtectedServer({ authorizationServers: [provider] })

async function redeclare(rig: Rig, url: string): Promise<void> {
  const file = JSON.parse(await readFile(rig.path, 'utf8')) as { servers: object[] }
  await writeFile(rig.path, JSON.stringify({ ...file, servers: file.servers.map((server) => ({ ...server, url })) }))
  await rig.state.reload()
}

test('the login of a server is not sent to the address its file names later', async () => {
  await using s = await openScene()
  await using other = await thief(s.provider.origin)
  await using rig = await openRig({ url: s.target.url })
  await rig.logIn((url) => s.provider.login(url))
  const secret = rig.record().tokens?.access_token
  await redeclare(rig, other.url)
  rig.connections.start(rig.server())
  await rig.connection().reconnect()
  expect(rig.connection().status.state).toBe('needs-auth')
  expect(other.authorizations).toEqual([])
  expect(s.provider.tokenRequests.filter(({ grant }) => grant === 'refresh_token')).toEqual([])
  // Back at its own address it is as good as before.
  expect(secret).toEqual(expect.any(String))
  await redeclare(rig, s.target.url)
  rig.connections.start(rig.server())
  await rig.connection().reconnect()
  expect(rig.connection().status.state).toBe('connected')
})

test('nor one that was begun before the address changed', async () => {
  await using s = await openScene()
  await using other = await thief(s.provider.origin)
  await using rig = await openRig({ url: s.target.url })
  const callback = await s.provider.login(await rig.begin())
  await redeclare(rig, other.url)
  rig.connections.start(rig.server())
  await rig.oauth.completeAuthorization(callback)
  await rig.connection().reconnect()
  expect(rig.connection().status.state).toBe('needs-auth')
  expect(other.authorizations).toEqual([])
})

describe('whose tokens they are', () => {
  const url = new URL('https://mcp.example/team/mcp?x=1')
  test.each([
    ['the address they were got for', { tokensUrl: 'https://mcp.example/team/mcp' }, true, true],
    ['another path', { tokensUrl: 'https://mcp.example/other/mcp' }, false, false],
    ['another origin', { tokensUrl: 'https://mcp.example:8443/team/mcp' }, false, false],
    ['a published resource that covers it', { resource: 'https://mcp.example/team' }, true, true],
    ['a published resource that does not', { resource: 'https://mcp.example/tea' }, false, false],
    ['metadata of the same origin', { resourceMetadataUrl: 'https://mcp.example/.well-known/x' }, true, true],
    ['metadata of another', { resourceMetadataUrl: 'https://else.example/.well-known/x' }, true, false],
    ['nothing at all', {}, true, false],
  ])('%s', (_, record, global, workspace) => {
    expect([areTokensFor(record, url, false), areTokensFor(record, url, true)]).toEqual([global, workspace])
  })
})
