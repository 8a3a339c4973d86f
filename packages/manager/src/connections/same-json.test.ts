import { assert, jsonValue, property } from 'fast-check'
import { expect, test } from 'vitest'
import { isSameJson, keepUnchanged } from './same-json.ts'

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

test('says what a comparison of the JSON texts says, but for the order of keys', () => {
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === 'object' && value !== null
        ? Object.entries(value)
            .toSorted(([left], [right]) => (left < right ? -1 : 1))
            .map(([key, member]) => [key, sorted(member)])
        : value
  assert(
    property(jsonValue({ maxDepth: 3 }), jsonValue({ maxDepth: 3 }), (left, right) => {
      const [a, b] = [copy(left), copy(right)]
      expect(isSameJson(a, copy(a))).toBe(true)
      if (Array.isArray(a) === Array.isArray(b))
        expect(isSameJson(a, b)).toBe(JSON.stringify([typeof a, sorted(a)]) === JSON.stringify([typeof b, sorted(b)]))
    }),
  )
  expect(isSameJson({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true)
  expect(isSameJson({}, [])).toBe(false)
  expect(isSameJson({ a: undefined }, { b: undefined })).toBe(false)
})

test('nesting beyond every limit is never walked to its end', () => {
  const deep = (): unknown => {
    let value: unknown = 1
    for (let level = 0; level < 100_000; level++) value = [value]
    return value
  }
  expect(isSameJson(deep(), deep())).toBe(false)
})

test('an unchanged list is the very list, an unchanged member the very member', () => {
  const before = ['a', 'b', 'c'].map((name) => ({ name, schema: { type: 'object', n: [1, 2] } }))
  expect(keepUnchanged(before, copy(before))).toBe(before)

  const after = copy(before)
  after[1]!.schema.n[0] = 7
  const kept = keepUnchanged(before, after)
  expect(kept).toEqual(after)
  expect(kept.map((one, index) => one === before[index])).toEqual([true, false, true])

  const turned = keepUnchanged(before, copy(before.toReversed()))
  expect(turned).not.toBe(before)
  expect(turned).toEqual(before.toReversed())
  expect(turned[0]).toBe(before[2])
  expect(keepUnchanged(before, copy(before.slice(0, 2)))).toEqual(before.slice(0, 2))
  expect(keepUnchanged(before, [])).toEqual([])
  const twice = [...before, ...copy(before)]
  expect(keepUnchanged(twice, copy(twice))).toBe(twice)
})
