import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { reconcile } from './reconcile.ts'

test('any two JSON values: the result equals the new one', () => {
  expect(reconcile(null, {})).toEqual({})
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, now) => {
      expect(reconcile(before, now)).toEqual(now)
    }),
  )
})

test('an equal value keeps the identity of the old one', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value: unknown = JSON.parse(text)
      expect(reconcile(value, JSON.parse(text))).toBe(value)
    }),
  )
})

test('an entry that moved keeps its identity; only the changed one is new', () => {
  const before = [
    { id: 'a', n: 1 },
    { id: 'b', n: 1 },
  ]
  const after = reconcile(before, [
    { id: 'b', n: 1 },
    { id: 'a', n: 2 },
  ])
  expect(after[0]).toBe(before[1])
  expect(after[1]).toEqual({ id: 'a', n: 2 })
})
