import { expect, test } from 'vitest'
import { retryDelay } from './backoff.ts'

test('doubles from 3 s to 60 s', () => {
  expect([1, 2, 3, 4, 5, 6, 50, 5000].map(retryDelay)).toEqual([
    3000, 6000, 12_000, 24_000, 48_000, 60_000, 60_000, 60_000,
  ])
})
