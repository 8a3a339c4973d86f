import { expect, test } from 'vitest'
import { newRecord, notesOn, replacedRecord } from './server-fields.ts'

const stored = {
  id: 'a',
  name: 'odin',
  type: 'http',
  url: 'https://odin.example/mcp',
  authMode: 'oauth',
  headers: { 'X-Key': 'secret' },
  clientId: 'mine',
  scope: 'read',
  oauthResource: false,
  privateKeyEnv: 'KEY',
  timeout: 5000,
  disabledTools: ['x'],
  note: 'by hand',
  oauth: { tokens: { access_token: 'A' } },
}
const same = { url: stored.url, authMode: 'oauth' }

test.each<[string, object, object, readonly string[]]>([
  [
    'keeps what it does not know, the name and the login',
    same,
    { id: 'a', name: 'odin', note: 'by hand', disabledTools: ['x'], oauth: stored.oauth },
    ['timeout', 'headers'],
  ],
  ['keeps a client id that is null', { ...same, clientId: null, scope: null }, { clientId: 'mine', scope: 'read' }, []],
  ['drops a client id that is empty, and the login with it', { ...same, clientId: '' }, {}, ['clientId', 'oauth']],
  ['keeps the options of the login left out', same, { oauthResource: false, privateKeyEnv: 'KEY' }, ['oauthGrant']],
  [
    'does not write what is the default, and drops what is empty',
    { ...same, oauthGrant: 'authorization_code', oauthResource: true, privateKeyEnv: '' },
    { oauth: stored.oauth },
    ['oauthGrant', 'oauthResource', 'privateKeyEnv'],
  ],
  [
    'drops the login of a person when the client logs in by itself',
    { ...same, oauthGrant: 'client_credentials' },
    { oauthGrant: 'client_credentials', privateKeyEnv: 'KEY' },
    ['oauth'],
  ],
  ['puts a masked value back', { ...same, headers: { 'X-Key': '••••' } }, { headers: { 'X-Key': 'secret' } }, []],
  ['takes a new value', { ...same, headers: { 'X-Key': 'new' } }, { headers: { 'X-Key': 'new' } }, []],
  ['clears a timeout left out', same, { name: 'odin' }, ['timeout']],
  ['clears a timeout that is none', { ...same, timeout: -5 }, { name: 'odin' }, ['timeout']],
  ['takes a new name', { ...same, name: 'thor' }, { name: 'thor', oauth: stored.oauth }, []],
  ['drops the login for another address', { ...same, url: 'https://evil.example/' }, {}, ['oauth']],
  [
    'drops the login for another way to log in',
    { url: stored.url, authMode: 'none' },
    {},
    ['oauth', 'clientId', 'scope', 'oauthResource', 'privateKeyEnv'],
  ],
  [
    'drops the fields of the other transport',
    { type: 'stdio', command: 'x' },
    { type: 'stdio', command: 'x', disabledTools: ['x'] },
    ['url', 'headers', 'authMode', 'oauth', 'clientId'],
  ],
])('a replacement %s', (_name, body, has, lacks) => {
  const record = replacedRecord(stored, body as Record<string, unknown>)
  expect(record).toMatchObject(has)
  for (const key of lacks) expect(record).not.toHaveProperty(key)
})

test('an empty tokenEnv keeps the stored one, and naming one drops the token in clear', () => {
  const old = { name: 'a', url: 'http://x/', authMode: 'static', staticToken: 'clear', tokenEnv: 'OLD' }
  expect(replacedRecord(old, { url: 'http://x/', authMode: 'static', tokenEnv: '' })).toMatchObject({ tokenEnv: 'OLD' })
  const named = replacedRecord(
    { ...old, tokenEnv: undefined },
    { url: 'http://x/', authMode: 'static', tokenEnv: 'NEW' },
  )
  expect(named).toMatchObject({ tokenEnv: 'NEW' })
  expect(named).not.toHaveProperty('staticToken')
})

test('a mask without a stored value is refused by name', () => {
  expect(() => newRecord({ name: 'a', command: 'x', type: 'stdio', env: { KEY: '••••' } })).toThrow('env.KEY')
  expect(() => replacedRecord(stored, { ...same, headers: { Other: '••••' } })).toThrow('headers.Other')
})

test.each([
  [-5, ['timeout: -5 is not used: give milliseconds, at least 1000']],
  ['soon', ['timeout: "soon" is not used: give milliseconds, at least 1000']],
  ['1500', []],
  [undefined, []],
  [null, []],
  ['', []],
])('a timeout of %j is told of: %j', (timeout, notes) => {
  const body = { name: 'a', type: 'stdio', command: 'x', timeout }
  expect(notesOn(body)).toEqual(notes)
  if (notes.length > 0) expect(newRecord(body)).not.toHaveProperty('timeout')
})

test('a command without an address is a local program, though nobody says so', () => {
  expect(newRecord({ name: 'a', command: 'npx', args: ['x'] })).toEqual({ name: 'a', command: 'npx', args: ['x'] })
})

test('only known fields enter a record', () => {
  expect(
    newRecord({ name: 'a', url: 'http://x/', id: 'mine', oauth: { tokens: {} }, staticToken: 't', path: '/' }),
  ).toEqual({
    name: 'a',
    url: 'http://x/',
  })
})
