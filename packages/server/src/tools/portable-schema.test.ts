import { expect, test } from 'vitest'
import { portableSchema } from './portable-schema.ts'

test('a list of types becomes branches of one type each, at any depth; everything else stays', () => {
  expect(
    portableSchema({
      type: 'object',
      properties: {
        a: { type: ['string', 'null'], description: 'A', maxLength: 3 },
        b: { type: 'array', items: { anyOf: [{ type: ['number', 'null'] }] } },
        c: { type: 'object', additionalProperties: {} },
        type: { type: 'string', enum: ['x'] },
      },
      required: ['a'],
      additionalProperties: false,
    }),
  ).toEqual({
    type: 'object',
    properties: {
      a: { description: 'A', anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] },
      b: { type: 'array', items: { anyOf: [{ anyOf: [{ type: 'number' }, { type: 'null' }] }] } },
      c: { type: 'object', additionalProperties: true },
      type: { type: 'string', enum: ['x'] },
    },
    required: ['a'],
    additionalProperties: false,
  })
})
