import { expect, test } from 'vitest'
import { barWidth, formatBytes } from './bytes.ts'

test.each([
  [0, '0 B'],
  [-5, '0 B'],
  [999, '999 B'],
  [1000, '1 KB'],
  [1234, '1.23 KB'],
  [12_345, '12.3 KB'],
  [999_499, '999 KB'],
  [999_500, '1 MB'],
  [5_000_000_000, '5 GB'],
  [5e15, '5000000 GB'],
])('%d bytes read %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test('a bar shows shares of the largest, and a small share stays visible', () => {
  expect([0, 1, 50, 100, 200].map((bytes) => barWidth(bytes, 100))).toEqual([0, 2, 50, 100, 100])
  expect(barWidth(5, 0)).toBe(0)
})
