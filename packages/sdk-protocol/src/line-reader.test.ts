import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LineReader } from './line-reader.ts'

function collect(maxLineBytes = 1 << 20) {
  const lines: string[] = []
  const overflows: string[] = []
  const reader = new LineReader({
    maxLineBytes,
    onLine: (line) => lines.push(line),
    onOverflow: (head) => overflows.push(head),
  })
  return { reader, lines, overflows }
}

/** Cuts bytes at the given places, in any order. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end))
}

const lineText = fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.replaceAll('\n', ' ').toWellFormed())

test('any cut of any lines, also inside of characters, gives the same lines', () => {
  fc.assert(
    fc.property(fc.array(lineText), fc.string({ maxLength: 5 }), fc.array(fc.nat()), (lines, tail, places) => {
      const last = tail.replaceAll('\n', '')
      const bytes = Buffer.from([...lines, last].join('\n'))
      const { reader, lines: delivered } = collect()
      for (const chunk of cut(bytes, places)) reader.push(chunk)
      reader.end()
      expect(delivered).toEqual(last === '' ? lines : [...lines, last])
    }),
  )
})

test('text chunks, cut between the halves of a surrogate pair, give the same lines', () => {
  fc.assert(
    fc.property(fc.array(lineText), fc.array(fc.nat()), (lines, places) => {
      const text = lines.map((line) => `${line}😀\n`).join('')
      const sorted = [0, ...places.map((place) => place % (text.length + 1)), text.length].toSorted((a, b) => a - b)
      const { reader, lines: delivered } = collect()
      for (let index = 1; index < sorted.length; index++) reader.push(text.slice(sorted[index - 1], sorted[index]))
      reader.end()
      expect(delivered).toEqual(lines.map((line) => `${line}😀`))
    }),
  )
})

test('long lines in chunks of every size class keep their bytes', () => {
  const line = Array.from({ length: 40_000 }, (_, index) => `${index}é汉😀`).join('')
  const bytes = Buffer.from(`${line}\nnext\n`)
  for (const size of [1, 3, 512, 4095, 4096, 4097, 65_536, bytes.length]) {
    const { reader, lines } = collect(1 << 24)
    for (let from = 0; from < bytes.length; from += size) reader.push(bytes.subarray(from, from + size))
    expect(lines).toEqual([line, 'next'])
  }
})

test('bytes that are not UTF-8 become U+FFFD and the line is delivered', () => {
  const { reader, lines } = collect()
  reader.push(Uint8Array.of(0x61, 0xff, 0xc3, 0x0a, 0x62, 0x0a))
  expect(lines).toEqual(['a��', 'b'])
})

test('only a newline ends a line', () => {
  const { reader, lines } = collect()
  reader.push(Buffer.from('a\u2028b\u2029c\r\rd\n'))
  expect(lines).toEqual(['a\u2028b\u2029c\r\rd'])
})

describe('a line beyond the limit', () => {
  test('is reported once, in whatever chunks it comes, and the lines around it live', () => {
    fc.assert(
      fc.property(fc.integer({ min: 11, max: 300 }), fc.array(fc.nat()), (length, places) => {
        const { reader, lines, overflows } = collect(10)
        const bytes = Buffer.from(`before\n${'x'.repeat(length)}\n0123456789\nafter\n`)
        for (const chunk of cut(bytes, places)) reader.push(chunk)
        expect(lines).toEqual(['before', '0123456789', 'after'])
        expect(overflows).toHaveLength(1)
        expect('x'.repeat(length).startsWith(overflows[0]!)).toBe(true)
        expect(overflows[0]!.length).toBeGreaterThan(10)
      }),
    )
  })

  test('gives its first 4096 bytes as head', () => {
    const { reader, overflows } = collect(100_000)
    for (let n = 0; n < 100; n++) reader.push(Buffer.alloc(10_000, 'x'))
    expect(overflows).toEqual(['x'.repeat(4096)])
  })
})

test('stop() inside of a line handler ends the delivery at once', () => {
  const lines: string[] = []
  const reader = new LineReader({
    maxLineBytes: 100,
    onLine: (line) => {
      lines.push(line)
      if (line === 'b') reader.stop()
    },
    onOverflow: () => {},
  })
  reader.push(Buffer.from('a\nb\nc\nd'))
  reader.push(Buffer.from('e\n'))
  reader.end()
  expect(lines).toEqual(['a', 'b'])
})

test('chunks that arrive while a line is being handled wait for their turn', () => {
  const lines: string[] = []
  const reader = new LineReader({
    maxLineBytes: 100,
    onLine: (line) => {
      lines.push(line)
      if (line === '1') reader.push(Buffer.from('3\n4'))
    },
    onOverflow: () => {},
  })
  reader.push(Buffer.from('1\n2\n'))
  reader.push(Buffer.from('\n'))
  expect(lines).toEqual(['1', '2', '3', '4'])
})
