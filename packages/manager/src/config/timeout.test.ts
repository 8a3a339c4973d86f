import { expect, test } from 'vitest'
import { readTimeout } from './timeout.ts'

test.each([
  [1000, 1000],
  [65_000.9, 65_000],
  ['600000', 600_000],
  [' 2500.7 ', 2500],
  ['1e4', 10_000],
  [1e12, 2_147_483_647],
  [999, undefined],
  [999.9, undefined],
  [0, undefined],
  [-5, undefined],
  ['', undefined],
  ['  ', undefined],
  ['soon', undefined],
  ['10s', undefined],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  ['Infinity', undefined],
  [null, undefined],
  [undefined, undefined],
  [true, undefined],
  [[5000], undefined],
  [{}, undefined],
])('%j → %j', (value, expected) => {
  expect(readTimeout(value)).toBe(expected)
})
