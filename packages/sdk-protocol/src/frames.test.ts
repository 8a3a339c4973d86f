import { expect, test } from 'vitest'
import { classify, errorLine, notificationLine, requestLine, resultLine, type Line } from './frames.ts'

const parse = (line: Line): unknown => {
  const text = typeof line === 'string' ? line : Buffer.from(line).toString()
  expect(text.endsWith('\n')).toBe(true)
  expect(text.indexOf('\n')).toBe(text.length - 1)
  return JSON.parse(text)
}

test.each([
  [
    '{"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1}}',
    { kind: 'request', id: 'a', method: 'm', params: { x: 1 } },
  ],
  ['{"id":0,"method":"m"}', { kind: 'request', id: 0, method: 'm', params: {} }],
  ['{"id":"","method":"m"}', { kind: 'request', id: '', method: 'm', params: {} }],
  ['{"id":-1.5,"method":"m"}', { kind: 'request', id: -1.5, method: 'm', params: {} }],
  ['{"jsonrpc":"1.0","id":1,"method":"m","params":[1]}', { kind: 'request', id: 1, method: 'm', params: {} }],
  ['{"id":null,"method":"m","params":"x"}', { kind: 'notification', method: 'm', params: {} }],
  ['{"id":true,"method":"m","params":null}', { kind: 'notification', method: 'm', params: {} }],
  ['{"id":{},"method":"m","params":7}', { kind: 'notification', method: 'm', params: {} }],
  ['{"method":"m"}', { kind: 'notification', method: 'm', params: {} }],
  ['{"id":1,"method":7}', { kind: 'response', id: 1, error: undefined, result: undefined }],
  ['{"id":1,"result":2}', { kind: 'response', id: 1, error: undefined, result: 2 }],
  ['{"id":1,"error":{"code":1},"result":2}', { kind: 'response', id: 1, error: { code: 1 }, result: 2 }],
  ['{"id":null,"error":{}}', { kind: 'none' }],
  ['[{"id":1,"method":"m"}]', { kind: 'none' }],
  ['{}', { kind: 'none' }],
  ['null', { kind: 'none' }],
  ['12', { kind: 'none' }],
  ['"text"', { kind: 'none' }],
])('%s', (line, frame) => {
  expect(classify(JSON.parse(line))).toEqual(frame)
})

test('a member named __proto__ stays a member of the params', () => {
  const frame = classify(JSON.parse('{"method":"m","params":{"__proto__":{"polluted":true}}}'))
  expect(frame.kind === 'notification' && Object.hasOwn(frame.params, '__proto__')).toBe(true)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test('frames carry what they were given, in one line', () => {
  const params = { text: 'a\nb\u2028"\\é😀\ud800' }
  expect(parse(requestLine('req_1', 'a"b', params))).toEqual({ jsonrpc: '2.0', id: 'req_1', method: 'a"b', params })
  expect(parse(requestLine('req_1', 'm', undefined))).toEqual({ jsonrpc: '2.0', id: 'req_1', method: 'm' })
  expect(parse(notificationLine('m', params))).toEqual({ jsonrpc: '2.0', method: 'm', params })
  expect(parse(notificationLine('m', undefined))).toEqual({ jsonrpc: '2.0', method: 'm' })
  expect(parse(resultLine(1.5, params))).toEqual({ jsonrpc: '2.0', id: 1.5, result: params })
})

test('a large body makes the same frame as a small one', () => {
  const params = { text: 'é😀x'.repeat(50_000) }
  expect(parse(requestLine('r', 'm', params))).toEqual({ jsonrpc: '2.0', id: 'r', method: 'm', params })
  expect(parse(notificationLine('m', params))).toEqual({ jsonrpc: '2.0', method: 'm', params })
  expect(parse(resultLine('r', params))).toEqual({ jsonrpc: '2.0', id: 'r', result: params })
})

test.each([[undefined], [() => {}], [Symbol('s')]])('a result that JSON cannot express is null', (result) => {
  expect(parse(resultLine('r', result))).toEqual({ jsonrpc: '2.0', id: 'r', result: null })
})

test('an error answer keeps its code and data, and is sent even when its data cannot be', () => {
  expect(parse(errorLine('r', -32001, 'no', { why: 1 }))).toEqual({
    jsonrpc: '2.0',
    id: 'r',
    error: { code: -32001, message: 'no', data: { why: 1 } },
  })
  expect(parse(errorLine('r', -32001, 'no', 1n))).toEqual({
    jsonrpc: '2.0',
    id: 'r',
    error: { code: -32001, message: 'no' },
  })
  expect(parse(errorLine('r', Number.NaN, 'no'))).toEqual({
    jsonrpc: '2.0',
    id: 'r',
    error: { code: -32603, message: 'no' },
  })
})
