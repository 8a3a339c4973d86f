import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { FrameReader, idOfDropped } from './frames.ts'

function read(chunks: readonly Buffer[], limit = 1_000_000): string[] {
  const reader = new FrameReader(limit)
  const frames = chunks.flatMap((chunk) => reader.push(chunk))
  const last = reader.end()
  return [...frames, ...(last === undefined ? [] : [last])].map((frame) =>
    frame.kind === 'line' ? frame.text : `too-large ${frame.bytes}`,
  )
}

test('any cutting into chunks gives the same lines', () => {
  const line = fc
    .string({ unit: 'grapheme', maxLength: 30 })
    .filter((text) => !/[\r\n]/.test(text) && text.trim() !== '')
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(20)), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''))
      const chunks: Buffer[] = []
      let from = 0
      for (const cut of cuts) {
        chunks.push(bytes.subarray(from, from + cut))
        from += cut
      }
      chunks.push(bytes.subarray(from))
      expect(read(chunks)).toEqual(lines.map((text) => Buffer.from(text).toString()))
    }),
  )
})

test('carriage returns and empty lines are nothing', () => {
  expect(read([Buffer.from('a\r\n\n  \r\nb')])).toEqual(['a', 'b'])
})

test('bytes that are no UTF-8 do not stop the line', () => {
  expect(read([Buffer.from([0x61, 0xe9, 0x62, 0x0a])])).toEqual(['a\u{FFFD}b'])
})

test('the limit counts a line, not a chunk', () => {
  const big = Buffer.concat([Buffer.alloc(99, 'x'), Buffer.from('\n'), Buffer.alloc(60, 'y'), Buffer.from('\nz\n')])
  expect(read([big], 100)).toEqual(['x'.repeat(99), 'y'.repeat(60), 'z'])
})

test('a line beyond the limit is dropped, the next is read', () => {
  const chunks = [...Array.from({ length: 50 }, () => Buffer.alloc(100, 'x')), Buffer.from('\n{"ok":1}\n')]
  expect(read(chunks, 1000)).toEqual(['too-large 5000', '{"ok":1}'])
})

test.each([
  ['{"jsonrpc":"2.0","id":7,"result":{"x":"', '"}}', 7],
  ['{"id":"a\\"b","jsonrpc":"2.0","result":', '}', 'a"b'],
  ['{"jsonrpc":"2.0","result":{"id":9,"x":"', '"},"id":12}', 12],
  ['{"result":{"id":9,"x":"', '"},"id":12,"jsonrpc":"2.0"}', 12],
  ['{"jsonrpc":"2.0","result":{"id":9,"x":"', '"}}', undefined],
  ['{"jsonrpc":"2.0","method":"notifications/message","params":{"id":1,"x":"', '","id":3}}', undefined],
])('the id of %s…%s is %s', (head, tail, id) => {
  expect(idOfDropped(head, tail)).toBe(id)
})
