import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { projectOutputSchema } from './tool-schemas.ts'
import { satisfies } from './subset.ts'

/** A JSON Schema validator of the field, as the judge of what the original schema means. */
const judge = new Ajv2020({ strict: false, validateFormats: false, logger: false })

const names = ['a', 'b', 'c']
const scalar = fc.constantFrom<string | number | boolean | null>('x', 'y', '', 0, 1, 1.5, -3, true, false, null)

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 3 }),
  ),
}))

const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array')
const limits = fc.record({ minimum: fc.integer({ min: -2, max: 2 }), maxLength: fc.nat(2) }, { requiredKeys: [] })

/** Schemas whose every node says its type, as servers write them; composition, references and tuples included. */
const { schema } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(type, limits).map(([one, rest]) => ({ type: one, ...rest })),
    fc.uniqueArray(type, { minLength: 1, maxLength: 3 }).map((list) => ({ type: list })),
    fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }).map((list) => ({ enum: list })),
    scalar.map((one) => ({ const: one })),
    fc.constant({ $ref: '#/$defs/shared' }),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({
      type: fc.constant('array'),
      prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      items: fc.constantFrom(false, true),
    }),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom(...names), tie('schema'), { maxKeys: 3 }),
        required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      },
      { requiredKeys: ['type'] },
    ),
  ),
}))

const disjoint = fc
  .uniqueArray(fc.constantFrom('string', 'number', 'boolean', 'null', 'array'), { minLength: 2, maxLength: 4 })
  .map((list) => ({ anyOf: list.map((one) => ({ type: one })) }))

test('every value the original accepts is accepted by the projection, so no rule is invented', () => {
  const accepted = { count: 0 }
  fc.assert(
    fc.property(fc.oneof(schema, disjoint), value, (raw, candidate) => {
      const whole = {
        ...raw,
        $defs: { shared: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
      }
      if (!judge.validate(whole, candidate)) return
      accepted.count++
      expect(satisfies(projectOutputSchema(whole)!, candidate), JSON.stringify(projectOutputSchema(whole))).toBe(true)
    }),
    { numRuns: 1500 },
  )
  expect(accepted.count).toBeGreaterThan(100)
})

test('a position of a tuple takes properties that only another position declares', () => {
  const named = { type: 'object', properties: { a: { type: 'string' } } }
  const tuple = { type: 'array', prefixItems: [{ type: 'object' }, named], items: false }
  for (const candidate of [[{ a: true }], [{}, { a: 'x' }]]) {
    expect(satisfies(projectOutputSchema(tuple)!, candidate)).toBe(true)
  }
})

test('required names stay exactly as declared', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string(), { maxLength: 6 }),
      fc.uniqueArray(fc.string(), { maxLength: 6 }),
      (all, must) => {
        const properties = Object.fromEntries(all.map((name) => [name, { type: 'string' }]))
        const projection = projectOutputSchema({ type: 'object', properties, required: must })!
        expect(projection.required ?? []).toEqual(must)
      },
    ),
  )
})
