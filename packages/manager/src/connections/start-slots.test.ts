import { expect, test, vi } from 'vitest'
import { createStartSlots } from './start-slots.ts'

const never = new AbortController().signal

test('no more than the given number at once, in order', async () => {
  const slots = createStartSlots(2)
  const first = await slots.take(never)
  await slots.take(never)
  const order: string[] = []
  const third = slots.take(never).then(() => order.push('third'))
  const abort = new AbortController()
  const fourth = slots.take(abort.signal).then(
    () => order.push('fourth'),
    () => order.push('abandoned'),
  )
  abort.abort()
  await fourth
  expect(order).toEqual(['abandoned'])
  first()
  first()
  await third
  expect(order).toEqual(['abandoned', 'third'])
})

test('a start that takes too long holds nobody up', async () => {
  vi.useFakeTimers()
  try {
    const slots = createStartSlots(1)
    await slots.take(never)
    const second = slots.take(never)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await second).toBeTypeOf('function')
  } finally {
    vi.useRealTimers()
  }
})
