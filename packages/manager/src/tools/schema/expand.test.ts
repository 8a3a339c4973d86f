import { expect, test } from 'vitest'
import type { SubsetSchema } from './subset.ts'
import { projected, property } from './test-projection.ts'

test('references are inlined by pointer, anchor and $id, with what stands beside them', () => {
  const extra = {
    $defs: {
      'a/b': { type: 'string', description: 'pointer' },
      anchored: { $anchor: 'here', type: 'number' },
      named: { $id: 'named.json', type: 'boolean' },
    },
  }
  expect(property({ $ref: '#/$defs/a~1b' }, extra)).toEqual({ type: 'string', description: 'pointer' })
  expect(property({ $ref: '#/$defs/a%7E1b', title: 'T' }, extra)).toMatchObject({ type: 'string', title: 'T' })
  expect(property({ $ref: '#here' }, extra)).toEqual({ type: 'number' })
  expect(property({ $ref: 'named.json' }, extra)).toEqual({ type: 'boolean' })
})

test('a recursive schema is shown once and then told', () => {
  const node = {
    type: 'object',
    properties: { value: { type: 'string' }, next: { $ref: '#/$defs/node' } },
    required: ['value'],
  }
  expect(property({ $ref: '#/$defs/node' }, { $defs: { node } })).toEqual({
    type: 'object',
    properties: {
      value: { type: 'string' },
      next: { type: 'object', description: '(recursive, same as #/$defs/node)' },
    },
    required: ['value'],
  })
  const self = projected({ type: 'object', properties: { child: { $ref: '#' } } })
  expect(self.properties).toEqual({ child: { type: 'object', description: '(recursive, same as #)' } })
  expect(property({ $ref: '#/properties/a' })).toEqual({ description: '(recursive, same as #/properties/a)' })
})

test('the same definition used twice is no cycle', () => {
  const $defs = { base: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } }
  const twice = property({ allOf: [{ $ref: '#/$defs/base' }, { $ref: '#/$defs/base' }] }, { $defs })
  expect(twice).toEqual({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] })
})

test('definitions that double at each step stay bounded', () => {
  const levels = 60
  const $defs = Object.fromEntries(
    Array.from({ length: levels }, (_, level) => [
      `d${level}`,
      level === levels - 1
        ? { type: 'string' }
        : {
            type: 'object',
            properties: { l: { $ref: `#/$defs/d${level + 1}` }, r: { $ref: `#/$defs/d${level + 1}` } },
          },
    ]),
  )
  const schema = projected({ type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, required: ['a'], $defs })
  expect(JSON.stringify(schema).length).toBeLessThan(3_000_000)
  const doubled = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `d${i}`,
      { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
    ]),
  )
  expect(property({ $ref: '#/$defs/d0' }, { $defs: { ...doubled, d40: { type: 'string' } } })).toBeDefined()
})

test('200 levels are kept, 50 000 are cut and told', () => {
  const nested = (levels: number): Record<string, unknown> => {
    let schema: Record<string, unknown> = { type: 'string' }
    for (let level = 0; level < levels; level++) schema = { type: 'object', properties: { n: schema }, required: ['n'] }
    return schema
  }
  let node: SubsetSchema = projected(nested(200))
  for (let level = 0; level < 200; level++) node = node.properties!['n']!
  expect(node).toEqual({ type: 'string' })
  expect(JSON.stringify(projected(nested(50_000)))).toContain('nested deeper than can be shown')
})
