import { expect, test } from 'vitest'
import { argumentsOf, fieldsOf } from './schema-form.ts'

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'A file' },
    depth: { type: 'integer', default: 3 },
    ratio: { type: 'number' },
    all: { type: 'boolean' },
    mode: { enum: ['read', 'write', 7, null] },
    style: { oneOf: [{ const: 'a' }, { const: 'b' }] },
    tags: { type: 'array', items: { type: 'string' } },
    anything: {},
  },
  required: ['path', 'mode'],
}
const fields = fieldsOf(schema)

test('each property becomes a field with the control of its type', () => {
  expect(fields.map((field) => [field.name, field.control, field.required])).toEqual([
    ['path', 'text', true],
    ['depth', 'integer', false],
    ['ratio', 'number', false],
    ['all', 'boolean', false],
    ['mode', 'choice', true],
    ['style', 'choice', false],
    ['tags', 'json', false],
    ['anything', 'json', false],
  ])
  expect(fields[0]!.description).toBe('A file')
  expect(fields[4]!.choices.map((choice) => choice.text)).toEqual(['read', 'write', '7', 'null'])
  expect(fields[6]!.example).toBe('[]')
})

test('texts become typed arguments; empty optional fields are left out, defaults are sent', () => {
  const texts = { path: 'a b', ratio: '1.5', all: 'false', mode: 'null', tags: '["x"]' }
  expect(argumentsOf(fields, texts)).toEqual({
    ok: true,
    value: { path: 'a b', depth: 3, ratio: 1.5, all: false, mode: null, tags: ['x'] },
  })
  expect(argumentsOf(fields, { mode: '7', depth: '' })).toEqual({ ok: true, value: { path: '', mode: 7 } })
})

test('what cannot be read is told at its field', () => {
  expect(argumentsOf(fields, { depth: '1.5', ratio: 'x', tags: '[' })).toEqual({
    ok: false,
    problems: { depth: 'problemInteger', ratio: 'problemNumber', tags: 'problemJson', mode: 'problemRequired' },
  })
})

test.each([null, true, 'x', [], { properties: 3 }, { type: 'object' }])('a schema of %j has no fields', (odd) => {
  expect(fieldsOf(odd)).toEqual([])
})
