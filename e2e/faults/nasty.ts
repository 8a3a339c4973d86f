import * as fc from 'fast-check'

/** Text that has broken parsers before. */
export const nasty = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '__proto__',
  'constructor',
  '../../../etc/passwd',
  '/dev/zero',
  '${HOME}',
  '${',
  '<script>alert(1)</script>',
  "'; DROP TABLE servers; --",
  '\u202E\uFEFF',
  '\uD800',
  'javascript:alert(1)',
  'http://[::1',
  'file:///etc/passwd',
  'http://169.254.169.254/',
  'x'.repeat(5_000),
)

/** A JSON value that nobody expects. */
export const anything: fc.Arbitrary<unknown> = fc.oneof(
  nasty,
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(-0, 1e308, -1, 2 ** 53, 0.1, true, null),
  fc.constant(JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as unknown),
)

/** A valid text with a piece cut out or put in. */
export function torn(of: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(of, fc.nat(), fc.nat({ max: 12 }), fc.string({ maxLength: 6 })).map(([text, at, length, put]) => {
    const from = text.length === 0 ? 0 : at % text.length
    return text.slice(0, from) + put + text.slice(from + length)
  })
}
