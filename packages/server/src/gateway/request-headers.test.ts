import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import {
  decodeHeaderValue,
  mirroredParameterFault,
  mirroredParameters,
  standardHeaderFault,
} from './request-headers.ts'

const headers = (values: Record<string, string>) => ({ get: (name: string) => values[name] })
const encode = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`

test.each([
  ['us-west1', 'us-west1'],
  ['=?base64?SGVsbG8sIOS4lueVjA==?=', 'Hello, 世界'],
  ['=?base64?IHBhZGRlZCA=?=', ' padded '],
  ['=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=', '=?base64?literal?='],
  ['=?base64??=', ''],
  ['=?BASE64?eA==?=', '=?BASE64?eA==?='],
  ['=?base64?x?=', undefined],
  ['=?base64?/w==?=', undefined],
  ['ü', undefined],
  ['a\u0000b', undefined],
])('header value %j reads %j', (value, expected) => {
  expect(decodeHeaderValue(value)).toBe(expected)
})

test('every encoded text comes back', () => {
  assert(
    property(string({ unit: 'grapheme' }), (text) => {
      expect(decodeHeaderValue(encode(text))).toBe(text)
    }),
  )
})

test('the standard headers must be there and agree', () => {
  const fault = (values: Record<string, string>, name?: string) =>
    standardHeaderFault(headers(values), 'tools/call', name)
  expect(fault({ 'mcp-method': 'tools/call', 'mcp-name': 'é' }, 'é')).toContain('Mcp-Name')
  expect(fault({ 'mcp-method': 'tools/call', 'mcp-name': encode('é') }, 'é')).toBeUndefined()
  expect(fault({ 'mcp-method': 'tools/call', 'mcp-name': 'echo' }, 'echo')).toBeUndefined()
  expect(fault({ 'mcp-method': 'tools/call' }, 'echo')).toContain('missing')
  expect(fault({ 'mcp-method': 'TOOLS/CALL', 'mcp-name': 'echo' }, 'echo')).toContain('differs')
  expect(fault({ 'mcp-name': 'echo' }, 'echo')).toContain('Mcp-Method')
  expect(fault({ 'mcp-method': 'tools/call' })).toBeUndefined()
})

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    nested: { type: 'object', properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } } },
    list: { type: 'array', items: { type: 'object', properties: { not: { type: 'string', 'x-mcp-header': 'Not' } } } },
    flag: { type: 'boolean', 'x-mcp-header': 'Flag' },
  },
}

test('annotated parameters are found along properties only', () => {
  expect(mirroredParameters(schema)).toEqual([
    { path: ['region'], header: 'mcp-param-region' },
    { path: ['nested', 'count'], header: 'mcp-param-count' },
    { path: ['flag'], header: 'mcp-param-flag' },
  ])
})

test.each([
  [{}, {}, true],
  [{ region: null }, {}, true],
  [{ region: 'eu' }, { 'mcp-param-region': 'eu' }, true],
  [{ region: 'ü' }, { 'mcp-param-region': encode('ü') }, true],
  [{ nested: { count: 42 } }, { 'mcp-param-count': '42.0' }, true],
  [{ flag: false }, { 'mcp-param-flag': 'false' }, true],
  [{ region: 'eu' }, {}, false],
  [{ region: 'eu' }, { 'mcp-param-region': 'us' }, false],
  [{ region: 'ü' }, { 'mcp-param-region': 'ü' }, false],
  [{}, { 'mcp-param-region': 'eu' }, false],
  [{ nested: { count: 42 } }, { 'mcp-param-count': '43' }, false],
  [{ nested: { count: 0 } }, { 'mcp-param-count': '' }, false],
  [{ flag: false }, { 'mcp-param-flag': 'False' }, false],
])('arguments %j with headers %j agree: %s', (args, values, agree) => {
  const fault = mirroredParameterFault(headers(values), mirroredParameters(schema), args)
  expect(fault === undefined).toBe(agree)
})
