import { expect, test } from 'vitest'
import { alternate, contextRow, goalRow, jsonOf, median, shortestOf, tableOf } from './index.ts'

test('a goal is met at its bound, in both directions', () => {
  expect(goalRow('speed', 1.5, '×', { atLeast: 1.5 })).toMatchObject({ met: true, better: 'higher', goal: 1.5 })
  expect(goalRow('speed', 1.49, '×', { atLeast: 1.5 }).met).toBe(false)
  expect(goalRow('size', 2, 'MB', { atMost: 2 })).toMatchObject({ met: true, better: 'lower', goal: 2 })
  expect(goalRow('size', 2.01, 'MB', { atMost: 2 }).met).toBe(false)
})

test('a measurement that failed is an error, never a row', () => {
  expect(() => goalRow('speed', Number.NaN, '×', { atLeast: 1 })).toThrow('"speed" was not measured')
  expect(() => contextRow('time', Number.POSITIVE_INFINITY, 'ms')).toThrow('"time" was not measured')
})

test('the table counts judged rows only, the JSON carries every row', () => {
  const rows = [goalRow('speed', 1.234567, '×', { atLeast: 1.2 }), contextRow('machine', 45.678, 'ms')]
  expect(tableOf(rows)).toBe(
    ['met  speed    1.23  ×   (goal ≥ 1.2 ×)', '     machine  45.7  ms', '', '1 of 1 goals met'].join('\n'),
  )
  expect(JSON.parse(jsonOf('demo', rows))).toEqual({
    bench: 'demo',
    rows: [
      { name: 'speed', value: 1.23, unit: '×', goal: 1.2, better: 'higher', met: true },
      { name: 'machine', value: 45.7, unit: 'ms', goal: null, better: 'lower', met: null },
    ],
  })
})

test('subjects take turns, none always first, and the ratio is the median of neighbours', async () => {
  const order: string[] = []
  const subject = (name: string, values: number[]) => () => {
    order.push(name)
    return values.shift()!
  }
  const comparison = await alternate({ a: subject('a', [9, 2, 4, 6, 8, 10]), b: subject('b', [9, 1, 1, 1, 1, 10]) }, 5)
  expect(order.join('')).toBe('abbaabbaabba')
  expect(comparison.median('a')).toBe(6)
  expect(comparison.ratio('a', 'b')).toBe(4)
  await expect(alternate({ a: () => 1 }, 4)).rejects.toThrow('at least five rounds')
})

test('the median of an even count is the mean of the middle two', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5)
})

test('a sample may be the shortest of a few runs', async () => {
  const times = [7, 3, 5, 1]
  expect(await shortestOf(3, () => times.shift()!)()).toBe(3)
  expect(times).toEqual([1])
})
