import { expect, test } from 'vitest'
import { withoutStacks } from './without-stacks.ts'

const linesOf = (error: Error): number => error.stack!.split('\n').length

test('errors made meanwhile have their message only, later ones their stack again', () => {
  const limit = Error.stackTraceLimit
  const made = withoutStacks(() => new Error('taken'))
  expect(made.stack).toBe('Error: taken')
  expect(linesOf(new Error('later'))).toBeGreaterThan(1)
  expect(Error.stackTraceLimit).toBe(limit)
})

test('what throws is passed on, and the limit is what it was', () => {
  const limit = Error.stackTraceLimit
  expect(() =>
    withoutStacks(() => {
      throw new Error('name is taken')
    }),
  ).toThrow('name is taken')
  expect(Error.stackTraceLimit).toBe(limit)
})

test('what goes on later has stacks', async () => {
  const later = withoutStacks(async () => {
    await Promise.resolve()
    return new Error('later')
  })
  expect(linesOf(await later)).toBeGreaterThan(1)
})
