import { expect, test } from 'vitest'
import { loadServerParser } from './server-record.ts'

const place = { id: 'a', name: 'jobs', source: { kind: 'global' } } as const
const parse = await loadServerParser()
const read = (members: object) => parse({ type: 'http', url: 'https://mcp.example/mcp', ...members }, place)

test('what a person configures of the login is read; blank counts as not set', () => {
  const login = {
    clientId: 'robot',
    oauthGrant: 'client_credentials',
    oauthResource: false,
    privateKeyEnv: 'JOBS_KEY',
    privateKeyAlgorithm: 'PS256',
  }
  expect(read(login)).toMatchObject({ ok: true, server: login })
  const blank = read({ oauthGrant: '', oauthResource: null, privateKeyEnv: '', privateKeyAlgorithm: null })
  expect(blank).toMatchObject({ ok: true, server: { oauthGrant: undefined, oauthResource: undefined } })
})

test.each([
  [{ oauthGrant: 'client-credentials' }, 'oauthGrant: must be authorization_code or client_credentials'],
  [{ oauthResource: 'no' }, 'oauthResource: must be true or false'],
  [{ privateKeyEnv: '-----BEGIN PRIVATE KEY-----' }, 'privateKeyEnv: is no name of an environment variable'],
  [{ privateKeyAlgorithm: 'HS256' }, 'privateKeyAlgorithm: is no known signature algorithm, such as ES256 or RS256'],
])('%j is named, without its value', (members, problem) => {
  expect(read(members)).toEqual({ ok: false, problem: `server "jobs": ${problem}` })
})

test.each([
  [{ url: 'https://mcp.example/mcp' }, 'http'],
  [{ type: 'sse', url: 'https://mcp.example/sse' }, 'http'],
  [{ type: 'streamable-http', url: 'https://mcp.example/mcp' }, 'http'],
  [{ command: 'npx', args: ['-y', 'some-server'] }, 'stdio'],
  [{ command: 'npx', url: 'https://mcp.example/mcp' }, 'http'],
  [{ type: 'http', url: 'https://mcp.example/mcp', command: 'npx' }, 'http'],
])('%j, as other clients write it, is of the kind %s', (record, type) => {
  expect(parse(record, place)).toMatchObject({ ok: true, server: { type } })
})

test('a kind that does not exist is named', () => {
  expect(parse({ type: 'websocket', url: 'wss://mcp.example' }, place)).toEqual({
    ok: false,
    problem: 'server "jobs": type: must be "stdio" or "http", not "websocket"',
  })
})
