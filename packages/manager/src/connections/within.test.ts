import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { within } from './within.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Work that ends with its signal only. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

test('work that takes too long is aborted with a TimeoutError', async () => {
  const outcome = expect(within(1_000, untilAborted)).rejects.toMatchObject({ name: 'TimeoutError' })
  await vi.advanceTimersByTimeAsync(1_000)
  await outcome
})

test('work is aborted with the signal that was given', async () => {
  const ended = new AbortController()
  const outcome = expect(within(1_000, untilAborted, ended.signal)).rejects.toThrow('enough')
  ended.abort(new Error('enough'))
  await outcome
})

test.each([
  ['ended', () => Promise.resolve('done')],
  ['failed', () => Promise.reject(new Error('no'))],
])('work that has %s leaves no timer', async (_, work: () => Promise<string>) => {
  await within(1_000, work).catch(() => undefined)
  expect(vi.getTimerCount()).toBe(0)
})
