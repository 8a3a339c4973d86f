import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bearerChallenge } from './challenge.ts'

describe('bearer challenge', () => {
  test.each([
    [
      'Bearer resource_metadata="https://a.example/.well-known/oauth-protected-resource/mcp", scope="a b"',
      { resourceMetadata: 'https://a.example/.well-known/oauth-protected-resource/mcp', scope: 'a b' },
    ],
    ['bearer Error = "insufficient_scope" , SCOPE="x"', { error: 'insufficient_scope', scope: 'x' }],
    ['Bearer', {}],
    ['Basic realm="a, Bearer scope=\\"no\\"", Bearer scope="yes"', { scope: 'yes' }],
    ['Negotiate YWJj==, Bearer error=invalid_token', { error: 'invalid_token' }],
    ['Bearer realm="x", Bearer resource_metadata="https://m.example/"', { resourceMetadata: 'https://m.example/' }],
    [
      'Bearer resource_metadata=https://m.example/a?b=c, error="invalid_token"',
      { resourceMetadata: 'https://m.example/a?b=c', error: 'invalid_token' },
    ],
    ['Bearer error_description="say \\"hi\\"", scope=""', { errorDescription: 'say "hi"' }],
    ['DPoP algs="ES256", error="invalid_token"', { error: 'invalid_token' }],
    ['Bearer scope="first", scope="second"', { scope: 'first' }],
  ])('%s', (field, expected) => {
    const empty = { resourceMetadata: undefined, scope: undefined, error: undefined, errorDescription: undefined }
    expect(bearerChallenge(field)).toEqual({ ...empty, ...expected })
  })

  test.each([undefined, null, '', 'Basic realm="x"', '"', ',,,', '= ='])('nothing in %s', (field) => {
    expect(bearerChallenge(field)).toBeUndefined()
  })

  test('any text ends', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 200 }), (field) => {
        bearerChallenge(field)
        bearerChallenge(`Bearer ${field}`)
      }),
    )
  })

  test('what was quoted comes back', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', ' ', ',', '=', '"', '\\', '/', ':') }), (value) => {
        const quoted = value.replace(/["\\]/g, '\\$&')
        const description = bearerChallenge(`Bearer error="e", error_description="${quoted}", scope="s"`)
        expect(description).toMatchObject({ error: 'e', errorDescription: value, scope: 's' })
      }),
    )
  })
})
