import { expect, test } from 'vitest'
import type { ServerView } from '../../web/api-types.ts'
import { problemsOf } from './form-problems.ts'
import { bodyOf, emptyForm, formOf, mask, type ServerForm } from './server-form.ts'

const around = { taken: new Set(['used']), hasToken: false }
const global = { kind: 'global' } as const

function httpForm(change: Partial<ServerForm['http']> = {}, name = 'odin'): ServerForm {
  const form = emptyForm(global)
  return { ...form, name, http: { ...form.http, url: 'https://odin.example/mcp', ...change } }
}

function stdioForm(change: Partial<ServerForm['stdio']> = {}): ServerForm {
  const form = emptyForm(global)
  return { ...form, name: 'files', type: 'stdio', stdio: { ...form.stdio, command: 'npx', ...change } }
}

test('a stored server goes through the form unchanged', () => {
  const view: ServerView = {
    id: 'a',
    name: 'odin',
    type: 'http',
    enabled: true,
    status: 'connected',
    toolCount: 3,
    error: null,
    url: 'https://odin.example/mcp',
    authMode: 'oauth',
    headers: { 'X-Team': 'blue', 'X-Key': mask },
    headerEnv: { 'X-Other': 'OTHER' },
    clientId: 'abc',
    scope: 'a b',
    timeout: 600_000,
  }
  expect(bodyOf(formOf(view, global))).toEqual({
    name: 'odin',
    type: 'http',
    timeout: 600_000,
    url: 'https://odin.example/mcp',
    authMode: 'oauth',
    headers: { 'X-Team': 'blue', 'X-Key': mask },
    headerEnv: { 'X-Other': 'OTHER' },
    clientId: 'abc',
    clientSecretEnv: '',
    scope: 'a b',
    oauthGrant: 'authorization_code',
    oauthResource: true,
  })
})

test('a client that logs in by itself goes through the form unchanged', () => {
  const login = {
    clientId: 'robot',
    clientSecretEnv: '',
    scope: 'run',
    oauthGrant: 'client_credentials',
    oauthResource: false,
    privateKeyEnv: 'ROBOT_KEY',
    privateKeyAlgorithm: 'EdDSA',
  } as const
  const view: ServerView = {
    id: 'a',
    name: 'odin',
    type: 'http',
    enabled: true,
    status: 'connected',
    toolCount: 3,
    error: null,
    url: 'https://odin.example/mcp',
    authMode: 'oauth',
    ...login,
  }
  const form = formOf(view, global)
  expect(bodyOf(form)).toMatchObject(login)
  expect(problemsOf(form, around)).toEqual({})
})

test('the key of a client that logs in by itself is left alone while a person logs in', () => {
  const form = httpForm({ oauthGrant: 'authorization_code', privateKeyEnv: 'no name', privateKeyAlgorithm: 'RS256' })
  expect(problemsOf(form, around)).toEqual({})
  expect(bodyOf(form)).not.toHaveProperty('privateKeyEnv')
  expect(bodyOf(form)).not.toHaveProperty('privateKeyAlgorithm')
})

test('switching the kind and back loses nothing', () => {
  const form = httpForm({ headers: [{ key: 'A', value: '1' }] })
  const there: ServerForm = { ...form, type: 'stdio', stdio: { ...form.stdio, command: 'npx' } }
  expect(bodyOf(there)).toEqual({ name: 'odin', type: 'stdio', command: 'npx', args: [], env: {} })
  expect(bodyOf({ ...there, type: 'http' })).toEqual(bodyOf(form))
})

test('arguments are lines, blanks inside stay, empty lines go', () => {
  expect(bodyOf(stdioForm({ args: '-y\r\nserver  with blanks\n\n  --x=1\n' }))['args']).toEqual([
    '-y',
    'server  with blanks',
    '  --x=1',
  ])
})

test('only fields of the chosen authentication are sent', () => {
  expect(Object.keys(bodyOf(httpForm({ authMode: 'none', tokenEnv: 'T', clientId: 'c' })))).not.toContain('tokenEnv')
  expect(bodyOf(httpForm({ authMode: 'static', tokenEnv: ' T ' }))['tokenEnv']).toBe('T')
})

test.each<[string, ServerForm, string, string]>([
  ['no name', httpForm({}, ''), 'name', 'problemRequired'],
  ['a blank in the name', httpForm({}, 'a b'), 'name', 'problemName'],
  ['33 characters', httpForm({}, 'a'.repeat(33)), 'name', 'problemName'],
  ['a Chinese name', httpForm({}, '服务器'), 'name', 'problemName'],
  ['a taken name', httpForm({}, 'used'), 'name', 'problemNameTaken'],
  ['no URL', httpForm({ url: ' ' }), 'url', 'problemRequired'],
  ['another protocol', httpForm({ url: 'ftp://x' }), 'url', 'problemUrl'],
  ['a URL without a host', httpForm({ url: 'https://' }), 'url', 'problemUrl'],
  [
    'a token where its variable belongs',
    httpForm({ authMode: 'static', tokenEnv: 'sk-1-2' }),
    'tokenEnv',
    'problemVariableName',
  ],
  ['no variable', httpForm({ authMode: 'static' }), 'tokenEnv', 'problemRequired'],
  ['a long scope', httpForm({ scope: 'x'.repeat(513) }), 'scope', 'problemTooLong'],
  [
    'a client without its name that logs in by itself',
    httpForm({ oauthGrant: 'client_credentials', clientSecretEnv: 'S' }),
    'clientId',
    'problemRequired',
  ],
  [
    'a client without secret and key that logs in by itself',
    httpForm({ oauthGrant: 'client_credentials', clientId: 'robot' }),
    'clientSecretEnv',
    'problemSecretOrKey',
  ],
  [
    'a key where its variable belongs',
    httpForm({ oauthGrant: 'client_credentials', clientId: 'robot', privateKeyEnv: '-----BEGIN PRIVATE KEY-----' }),
    'privateKeyEnv',
    'problemVariableName',
  ],
  ['a wrong header', httpForm({ headers: [{ key: 'a:b', value: '1' }] }), 'headers.0', 'problemHeaderName'],
  [
    'a header twice',
    httpForm({
      headers: [
        { key: 'a', value: '1' },
        { key: 'a', value: '2' },
      ],
    }),
    'headers.1',
    'problemTwice',
  ],
  ['a value without a name', httpForm({ headers: [{ key: '', value: '1' }] }), 'headers.0', 'problemRequired'],
  [
    'a kept value under a new name',
    httpForm({ headers: [{ key: 'b', value: '', keptKey: 'a' }] }),
    'headers.0',
    'problemKeptRenamed',
  ],
  [
    'a header variable that is a value',
    httpForm({ headerEnv: [{ key: 'a', value: 'x y' }] }),
    'headerEnv.0',
    'problemVariableName',
  ],
  ['no command', stdioForm({ command: '' }), 'command', 'problemRequired'],
  ['a wrong variable', stdioForm({ env: [{ key: '1X', value: '' }] }), 'env.0', 'problemVariableName'],
  ['a short timeout', { ...stdioForm(), timeout: '999' }, 'timeout', 'problemTimeout'],
  ['a timeout in words', { ...stdioForm(), timeout: '10s' }, 'timeout', 'problemTimeout'],
])('%s is told at its field', (_, form, field, problem) => {
  expect(problemsOf(form, around)).toEqual({ [field]: problem })
})

test.each<[string, ServerForm]>([
  ['a reference in the host', httpForm({ url: 'https://${HOST}/mcp' })],
  ['a whole URL by reference', httpForm({ url: '${BASE:-https://x.example}/mcp' })],
  [
    'a client that logs in by itself with a secret',
    httpForm({ oauthGrant: 'client_credentials', clientId: 'robot', clientSecretEnv: 'ROBOT_SECRET' }),
  ],
  ['a timeout of a second', { ...stdioForm(), timeout: '1000' }],
  ['an empty last line of a table', stdioForm({ env: [{ key: '', value: '' }] })],
])('%s is right', (_, form) => {
  expect(problemsOf(form, around)).toEqual({})
})

test('the variable of a stored token may stay empty: it is kept', () => {
  expect(problemsOf(httpForm({ authMode: 'static' }), { ...around, hasToken: true })).toEqual({})
})
