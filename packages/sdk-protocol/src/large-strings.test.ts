import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeWithLargeStrings, holdsLargeString } from './large-strings.ts'

const large = 'aB3+'.repeat(20_000)

test.each([
  ['the value itself', large],
  ['a member', { data: large }],
  ['an image of a prompt', { sessionId: 's', contentBlocks: [{ type: 'image', data: large, mimeType: 'image/png' }] }],
])('a large string is found in %s', (_name, value) => {
  expect(holdsLargeString(value)).toBe(true)
})

test.each([['small'], [{ a: { b: 'x' } }], [null], [7], [undefined], [[]], [Array(100).fill('x')]])(
  'none is found in %j',
  (value) => {
    expect(holdsLargeString(value)).toBe(false)
  },
)

test('a value that holds itself is looked at for a bounded time', () => {
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  expect(holdsLargeString(cyclic)).toBe(false)
  expect(() => encodeWithLargeStrings('', { cyclic, large }, '')).toThrow(TypeError)
})

describe('the bytes are those of JSON.stringify', () => {
  const encoded = (value: unknown): string | undefined => {
    const bytes = encodeWithLargeStrings('{"x":', value, '}\n')
    return bytes === undefined ? undefined : Buffer.from(bytes).toString()
  }

  test('for large strings at any place, beside anything', () => {
    const value = fc.jsonValue({ stringUnit: 'binary' })
    fc.assert(
      fc.property(value, value, fc.nat(3), fc.constantFrom('', 'é', '汉😀'), (before, after, shift, other) => {
        const body = { before, first: `${'x'.repeat(shift)}${large}${other}`, between: [large, after], last: large }
        expect(encoded(body)).toBe(`{"x":${JSON.stringify(body)}}\n`)
      }),
      { numRuns: 40 },
    )
  })

  const others = ['\n', '"', '\\', '\u0000', '\u001f']
  test.each(others.map((character) => [JSON.stringify(character), character]))(
    '%s anywhere in one makes it escape as usual',
    (_name, character) => {
      for (const place of [0, 1, 2, 3, 4, 5, 4095, 4096, 65_536, large.length - 2, large.length - 1, large.length]) {
        const text = `${large.slice(0, place)}${character}${large.slice(place)}`
        expect(encoded({ a: 'a', text })).toBeUndefined()
      }
    },
  )

  test('characters next to the escaped ones are none', () => {
    const neighbours = ' !#$[]\u007f\u0080\u00ff~'
    const text = large + neighbours.repeat(100)
    expect(encoded({ text })).toBe(`{"x":${JSON.stringify({ text })}}\n`)
  })

  test('a value that turns itself into nothing is nothing', () => {
    expect(encoded({ large, toJSON: () => undefined })).toBeUndefined()
    expect(encoded({ large, toJSON: () => ({ large }) })).toBe(`{"x":${JSON.stringify({ large })}}\n`)
  })

  test('half of a surrogate pair is escaped by JSON, beside a large string that is not', () => {
    const body = { broken: `${large}\ud800`, whole: large }
    expect(encoded(body)).toBe(`{"x":${JSON.stringify(body)}}\n`)
  })
})
