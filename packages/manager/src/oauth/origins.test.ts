import { describe, expect, test } from 'vitest'
import { applicationType, callbackOrigin, parsePublicOrigins, redirectUri } from './origins.ts'

const one = ['https://dsh.example']
const two = ['https://dsh.example', 'https://other.example:8443']

describe('origin a login returns to', () => {
  test.each([
    ['loopback name', { host: 'localhost:3080' }, [], 'http://localhost:3080'],
    ['IPv4 loopback', { host: '127.0.0.1:3080' }, [], 'http://127.0.0.1:3080'],
    ['IPv6 loopback', { host: '[::1]:3080' }, [], 'http://[::1]:3080'],
    ['a single public origin is the default', { host: '127.0.0.1:3080' }, one, 'https://dsh.example'],
    ['even for a foreign Host', { host: 'dsh.example' }, one, 'https://dsh.example'],
    [
      'a loopback page is direct access',
      { host: '127.0.0.1:3080', origin: 'http://127.0.0.1:3080' },
      one,
      'http://127.0.0.1:3080',
    ],
    [
      'a page of the public origin is not',
      { host: '127.0.0.1:3080', origin: 'https://dsh.example' },
      one,
      'https://dsh.example',
    ],
    [
      'several: the forwarded one',
      { host: 'x', forwardedProto: 'https', forwardedHost: 'other.example:8443' },
      two,
      'https://other.example:8443',
    ],
    ['several, direct loopback', { host: '127.0.0.1:3080' }, two, 'http://127.0.0.1:3080'],
    ['several, Host kept by the proxy', { host: 'dsh.example' }, two, 'https://dsh.example'],
    ['forwarded loopback', { host: 'x', forwardedHost: 'localhost:3080' }, [], 'http://localhost:3080'],
  ])('%s', (_, headers, origins, expected) => {
    expect(callbackOrigin(headers, origins)).toBe(expected)
  })

  test.each([
    ['foreign Host', { host: 'evil.example' }, []],
    ['no Host', {}, []],
    ['foreign Host, several', { host: 'evil.example' }, two],
    ['forwarded host not listed', { host: '127.0.0.1:1', forwardedProto: 'https', forwardedHost: 'evil.example' }, two],
    ['forwarded scheme not listed', { host: '127.0.0.1:1', forwardedProto: 'http', forwardedHost: 'dsh.example' }, two],
    ['forwarded host without any list', { host: '127.0.0.1:1', forwardedHost: 'evil.example' }, []],
    ['loopback-looking name', { host: '127.0.0.1.evil.example' }, []],
  ])('refuses: %s', (_, headers, origins) => {
    expect(() => callbackOrigin(headers, origins)).toThrow(expect.objectContaining({ code: 'origin-refused' }))
  })

  test.each(['', 'a b', 'evil.example/x', 'user@evil.example', 'a.example,b.example', '[::1', 'a.example:99999', '#'])(
    'a malformed forwarded host is an error: %j',
    (forwardedHost) => {
      for (const origins of [[], one, two]) {
        expect(() => callbackOrigin({ host: '127.0.0.1:3080', forwardedHost }, origins)).toThrow(
          expect.objectContaining({ code: 'origin-malformed' }),
        )
      }
    },
  )

  test('a malformed forwarded scheme is an error', () => {
    expect(() =>
      callbackOrigin({ host: 'x', forwardedProto: 'javascript', forwardedHost: 'dsh.example' }, one),
    ).toThrow(expect.objectContaining({ code: 'origin-malformed' }))
  })
})

test('public origins are checked one by one', () => {
  const { origins, problems } = parsePublicOrigins([
    'https://dsh.example/',
    'https://dsh.example',
    'http://127.0.0.1:3080',
    'http://plain.example',
    'https://dsh.example/path',
    'dsh.example',
    'ftp://dsh.example',
  ])
  expect(origins).toEqual(['https://dsh.example', 'http://127.0.0.1:3080'])
  expect(problems).toHaveLength(4)
})

test.each([
  ['http://127.0.0.1:3080', 'native'],
  ['http://localhost:3080', 'native'],
  ['http://[::1]:3080', 'native'],
  ['https://dsh.example', 'web'],
  ['https://localhost:3080', 'web'],
])('application type of %s is %s', (origin, type) => {
  expect(applicationType(redirectUri(origin, 'Qk3vW0aZ9-x'))).toBe(type)
})
