import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redact } from './redact.ts'

describe('redact, by shape', () => {
  test.each([
    ['Authorization: Bearer abc.def-ghi', 'abc.def-ghi'],
    ['sent {"authorization":"Bearer zzz9"}', 'zzz9'],
    ['Basic dXNlcjpwYXNz failed', 'dXNlcjpwYXNz'],
    ['GET /callback/x?code=C0DE&state=ST4TE', 'C0DE'],
    ['GET /callback/x?code=C0DE&state=ST4TE', 'ST4TE'],
    ['grant_type=refresh_token&refresh_token=RRR&client_secret=SSS', 'SSS'],
    ['{"access_token":"AAA","refresh_token" : "BB\\"B"}', 'AAA'],
    ['{"access_token":"AAA","refresh_token" : "BB\\"B"}', 'BB\\"B'],
    ['https://user:pw123@host/mcp', 'pw123'],
    ['GITHUB_TOKEN=ghx_1 npx thing', 'ghx_1'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'eyJzdWIiOiIxIn0'],
    ['key sk-abcdefghijklmnopqrst used', 'abcdefghijklmnopqrst'],
  ])('%s', (text, secret) => {
    expect(redact(text)).not.toContain(secret)
  })

  test.each([
    'HTTP 401 from http://127.0.0.1:3080/mcp',
    'WWW-Authenticate: Bearer error="insufficient_scope", scope="mcp:write"',
    'connect ECONNREFUSED 127.0.0.1:9',
    'statement=1 decode=2 encoder exited with code 1',
  ])('leaves alone: %s', (text) => {
    expect(redact(text)).toBe(text)
  })
})

describe('redact, by value', () => {
  const forms: readonly ((secret: string) => string)[] = [
    (secret) => secret,
    (secret) => encodeURIComponent(secret),
    (secret) => encodeURIComponent(encodeURIComponent(secret)),
    (secret) => [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    (secret) => new URLSearchParams({ q: secret }).toString().slice(2),
    (secret) => JSON.stringify(secret).slice(1, -1),
    (secret) => Buffer.from(secret).toString('base64'),
    (secret) => Buffer.from(secret).toString('base64url'),
    (secret) => Buffer.from(`x${secret}`).toString('base64'),
    (secret) => Buffer.from(`id:${secret}`).toString('base64'),
    (secret) => Buffer.from(secret).toString('hex'),
  ]
  const secrets = fc.string({ minLength: 8, maxLength: 60, unit: 'grapheme' }).filter((text) => !/^\s|\s$/.test(text))

  test('no form of a secret that went in comes out', () => {
    fc.assert(
      fc.property(secrets, fc.string(), fc.string(), fc.nat(forms.length - 1), (secret, before, after, index) => {
        const shown = forms[index]!(secret)
        const clean = redact(`${before} ${shown} ${after}`, [secret])
        // The surroundings may hold the same characters by chance: only what the secret brought must be gone.
        fc.pre(!`${before} ${after}`.includes(shown))
        expect(clean).not.toContain(shown)
      }),
      { numRuns: 500 },
    )
  })

  test('a value of one to three characters is ordinary text', () => {
    expect(redact('1 of 12 calls failed: ok', ['1', 'ok', 'all'])).toBe('1 of 12 calls failed: ok')
    expect(redact('at 50%25', ['5'])).toBe('at 50%25')
  })

  test('a longer secret that holds a shorter one goes whole', () => {
    expect(redact('use abcd-efgh-ijkl now', ['abcd', 'abcd-efgh-ijkl'])).toBe('use [redacted] now')
  })
})
