import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFrameHead } from './frame-head.ts'

test.each([
  ['{"jsonrpc":"2.0","id":"a","method":"m","params":{"x', { id: 'a', method: 'm', kind: 'request-or-notification' }],
  ['{"jsonrpc":"2.0","method":"m","id":7,"params":[1,2', { id: 7, method: 'm', kind: 'request-or-notification' }],
  ['{"jsonrpc":"2.0","id":"a","params":{"x', { id: 'a', kind: 'request-or-notification' }],
  ['  {  "id" : -1.5e3 , "result" : "xxx', { id: -1500, kind: 'response' }],
  ['{"jsonrpc":"2.0","id":"a","result":{"id":"b","method":"c"', { id: 'a', kind: 'response' }],
  ['{"id":"a","error":{"message":"x', { id: 'a', kind: 'response' }],
  ['{"result":{"id":"b"}', { kind: 'response' }],
  ['{"id":null,"method":"m","params":{', { method: 'm', kind: 'request-or-notification' }],
  ['{"id":"a', { kind: 'unknown' }],
  ['{"i\\u0064":"\\"quoted\\"","x":"y', { id: '"quoted"', kind: 'unknown' }],
  ['{"id":1}', { id: 1, kind: 'unknown' }],
  ['[{"id":1', { kind: 'unknown' }],
  ['', { kind: 'unknown' }],
  ['xxx', { kind: 'unknown' }],
])('%s', (head, expected) => {
  expect(readFrameHead(head)).toEqual(expected)
})

test('any prefix of a frame tells nothing that the whole frame does not hold', () => {
  const id = fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  fc.assert(
    fc.property(id, fc.string(), fc.jsonValue(), fc.nat(), (id, method, params, length) => {
      const text = JSON.stringify({ jsonrpc: '2.0', id, method, params })
      const head = readFrameHead(text.slice(0, length % text.length))
      const wire = JSON.parse(text) as { id: unknown }
      if ('id' in head) expect(head.id).toEqual(wire.id)
      if ('method' in head) expect(head.method).toBe(method)
      expect(head.kind).not.toBe('response')
    }),
  )
})

test('any text is read without an error', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readFrameHead(`{"${text}`)))
})
