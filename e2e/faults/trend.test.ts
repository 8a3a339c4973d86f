import { expect, test } from 'vitest'
import { trendOf } from './trend.ts'

const series = (value: (second: number) => number) =>
  Array.from({ length: 60 }, (_, seconds) => ({ seconds, value: value(seconds) }))

test('what grows steadily is seen through saw teeth', () => {
  const { growth } = trendOf(series((second) => 100 + (second % 7) * 5 + second * 0.5))
  expect(growth).toBeGreaterThan(25)
  expect(growth).toBeLessThan(35)
})

test('what goes up and down, and a few outliers, are no growth', () => {
  const { start, end, growth } = trendOf(series((second) => (second > 55 ? 500 : 100 + (second % 4))))
  expect(Math.abs(growth)).toBeLessThan(1)
  expect([start, end]).toEqual([102, 102])
})

test('one handle for every call is seen', () => {
  expect(trendOf(series((second) => 30 + second)).growth).toBe(59)
})

test('fewer than three samples have no trend', () => {
  expect(() => trendOf(series(() => 1).slice(0, 2))).toThrow('three samples')
})
