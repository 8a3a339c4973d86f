import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { SubsetSchema } from './subset.ts'
import { projected, property } from './test-projection.ts'
import { projectInputSchema, projectOutputSchema } from './tool-schemas.ts'

interface ListedServer {
  readonly server: string
  readonly tools: readonly { readonly name: string; readonly inputSchema: Record<string, unknown> }[]
}

const file = fileURLToPath(new URL('../../../../../bench/data/tool-search/servers.json', import.meta.url))
const servers: readonly ListedServer[] = JSON.parse(readFileSync(file, 'utf8'))

test('all schemas of 70 real servers are valid for the host, with the same properties and the same required names', () => {
  const tools = servers.flatMap((server) => server.tools)
  expect(tools).toHaveLength(527)
  for (const tool of tools) {
    const schema = projected(tool.inputSchema)
    expect(Object.keys(schema.properties ?? {})).toEqual(Object.keys(tool.inputSchema['properties'] ?? {}))
    expect(schema.required ?? []).toEqual(tool.inputSchema['required'] ?? [])
  }
})

test.each([
  ['an empty schema', {}, { type: 'object' }],
  ['true', true, { type: 'object' }],
  ['a dialect alone', { $schema: 'https://json-schema.org/draft/2020-12/schema' }, { type: 'object' }],
  ['properties without a type', { properties: { a: { type: 'string' } } }, expect.objectContaining({ type: 'object' })],
  [
    'a string root',
    { type: 'string' },
    { type: 'object', description: '(the server declares string instead of named arguments)' },
  ],
  [
    'a nullable object root',
    { type: ['object', 'null'], properties: { a: { type: 'string' } }, required: ['a'] },
    { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  ],
  [
    'a required name nobody declared',
    { type: 'object', required: ['a'] },
    { type: 'object', properties: { a: {} }, required: ['a'] },
  ],
  [
    'anyOf at the root, over shared properties',
    {
      type: 'object',
      properties: { id: { type: 'string' }, name: { type: 'string' } },
      anyOf: [{ required: ['id'] }, { required: ['name'] }],
    },
    {
      type: 'object',
      properties: { id: { type: 'string' }, name: { type: 'string' } },
      description: '(one of: {id, name?} | {id?, name})',
    },
  ],
  [
    'tagged variants at the root',
    {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'a' }, x: { type: 'number' } }, required: ['kind', 'x'] },
        { type: 'object', properties: { kind: { const: 'b' } }, required: ['kind'] },
      ],
    },
    {
      type: 'object',
      properties: { kind: { type: 'string', enum: ['a', 'b'] }, x: { type: 'number' } },
      required: ['kind'],
      description: '(one of: {kind, x} | {kind})',
    },
  ],
])('root: %s', (_name, raw, expected) => {
  expect(projected(raw)).toEqual(expected)
})

test.each([
  [null, 'inputSchema is missing'],
  [undefined, 'inputSchema is missing'],
  [false, 'inputSchema is false: no arguments can be valid'],
  ['object', 'inputSchema must be an object, got string'],
  [[], 'inputSchema must be an object, got array'],
])('no schema at all: %j', (raw, reason) => {
  expect(projectInputSchema(raw)).toEqual({ ok: false, reason })
})

test.each<[string, unknown, SubsetSchema]>([
  ['boolean true', true, {}],
  ['a list of types', { type: ['string', 'null'] }, { oneOf: [{ type: 'string' }, { type: 'null' }] }],
  ['nullable', { type: 'integer', nullable: true }, { oneOf: [{ type: 'integer' }, { type: 'null' }] }],
  ['integer and number', { type: ['integer', 'number'] }, { type: 'number' }],
  [
    'a nullable enum',
    { type: ['string', 'null'], enum: ['x', 'y', null] },
    { oneOf: [{ type: 'string', enum: ['x', 'y'] }, { type: 'null' }] },
  ],
  ['an enum with a null its type forbids', { type: 'string', enum: ['x', null] }, { type: 'string', enum: ['x'] }],
  ['an enum without type', { enum: [1, 2] }, { type: 'integer', enum: [1, 2] }],
  ['a const without type', { const: 'x' }, { type: 'string', enum: ['x'] }],
  [
    'an enum on an array',
    { type: 'array', enum: ['x'], items: { type: 'string' } },
    { type: 'array', items: { type: 'string' }, description: '(one of "x")' },
  ],
  ['an enum of objects', { enum: [{ a: 1 }] }, { description: '(one of {"a":1})' }],
  [
    'exclusiveMinimum of draft 4',
    { type: 'number', minimum: 5, exclusiveMinimum: true },
    { type: 'number', description: '(greater than 5)' },
  ],
  [
    'limits beside a description',
    { type: 'integer', minimum: 1, maximum: 9, description: 'How many', default: 3 },
    { type: 'integer', default: 3, description: 'How many (minimum 1; maximum 9)' },
  ],
  [
    'pattern, format and length',
    { type: 'string', pattern: '^a', format: 'uri', minLength: 1, maxLength: 8 },
    { type: 'string', description: '(pattern ^a; format uri; 1 to 8 characters)' },
  ],
  [
    'a tuple',
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
    {
      type: 'array',
      items: { oneOf: [{ type: 'string' }, { type: 'number' }] },
      description: '(in order: string, number)',
    },
  ],
  [
    'typed extra keys',
    { type: 'object', additionalProperties: { type: 'string' } },
    { type: 'object', additionalProperties: true, description: '(other keys: string)' },
  ],
  [
    'patternProperties under a closed object',
    { type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
    { type: 'object', additionalProperties: true, description: '(keys matching ^x-: string)' },
  ],
  [
    'anyOf with null',
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    { oneOf: [{ type: 'string' }, { type: 'null' }] },
  ],
  [
    'overlapping oneOf',
    {
      oneOf: [
        { type: 'string', pattern: '^a' },
        { type: 'string', pattern: '^b' },
      ],
    },
    { type: 'string', description: '(one of: string: (pattern ^a) | string: (pattern ^b))' },
  ],
  [
    'constants with descriptions',
    {
      oneOf: [
        { const: 'asc', title: 'Up' },
        { const: 'desc', title: 'Down' },
      ],
    },
    { type: 'string', enum: ['asc', 'desc'], description: '(one of: "asc": Up | "desc": Down)' },
  ],
  [
    'allOf',
    {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { type: 'number' } }, required: ['b'] },
      ],
    },
    { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a', 'b'] },
  ],
  ['not', { type: 'string', not: { const: 'x' } }, { type: 'string', description: '(not {"const":"x"})' }],
  ['a type as the schema', 'string', { type: 'string' }],
  ['a nonsense schema', 17, {}],
  ['an unknown type', { type: 'file' }, { description: '(type file)' }],
  ['a reference to nowhere', { $ref: '#/$defs/none' }, { description: '(see #/$defs/none)' }],
  [
    'a reference elsewhere',
    { $ref: 'https://example.test/s.json' },
    { description: '(see https://example.test/s.json)' },
  ],
])('property: %s', (_name, raw, expected) => {
  expect(property(raw)).toEqual(expected)
})

test('tagged variants stay apart where the subset can say so', () => {
  const variant = (kind: string, extra: string): unknown => ({
    type: 'object',
    properties: { kind: { const: kind }, [extra]: { type: 'string' } },
    required: ['kind'],
  })
  expect(property({ anyOf: [variant('a', 'x'), variant('b', 'y')] }).oneOf).toHaveLength(2)
})

test('5 000 properties are kept, each with its own rule', () => {
  const names = Array.from({ length: 5000 }, (_, index) => `p${index}`)
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer', minimum: 1 }]))
  const schema = projected({ type: 'object', properties, required: names })
  expect(Object.keys(schema.properties!)).toEqual(names)
  expect(schema.required).toEqual(names)
  expect(schema.properties!['p4999']).toEqual({ type: 'integer', description: '(minimum 1)' })
})

test('a union of 5 000 alternatives is merged in reasonable time', () => {
  const anyOf = Array.from({ length: 5000 }, (_, index) => ({
    type: 'object',
    properties: { [`k${index}`]: { const: index } },
    required: [`k${index}`],
  }))
  expect(property({ anyOf }).type).toBe('object')
})

test('a required list put one level too deep is told, not taken as a property', () => {
  const schema = projected({ type: 'object', properties: { a: { type: 'string' }, required: ['a'] } })
  expect(schema).toEqual({ type: 'object', properties: { a: { type: 'string' } }, description: '(required: a)' })
})

test('property names of the language itself are ordinary names', () => {
  const raw: unknown = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}},"required":["__proto__","toString"]}',
  )
  const schema = projected(raw)
  expect(Object.keys(schema.properties!).sort()).toEqual(['__proto__', 'constructor', 'toString'])
  expect(schema.required).toEqual(['__proto__', 'toString'])
})

test('annotations that are no plain JSON, or too large, are left out', () => {
  expect(property({ type: 'number', default: -0 }).default).toBe(0)
  expect(property(JSON.parse('{"type":"number","default":1e999}'))).toEqual({ type: 'number' })
  expect(property({ type: 'string', default: 'x'.repeat(3000) }).default).toBeUndefined()
  expect(property({ type: 'array', default: ['x'.repeat(3000)] }).default).toBeUndefined()
  expect(property({ type: 'string', title: 7, description: ['x'] })).toEqual({ type: 'string' })
  expect(property({ type: 'string', description: 'a\ud800' }).description).toBe('a\ufffd')
})

test('an output schema may have any root', () => {
  expect(projectOutputSchema({ type: 'string', maxLength: 3 })).toEqual({
    type: 'string',
    description: '(at most 3 characters)',
  })
  expect(projectOutputSchema(undefined)).toBeUndefined()
})
