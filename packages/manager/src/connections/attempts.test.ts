import { expect, test } from 'vitest'
import { Attempts } from './attempts.ts'

const turn = (): Promise<void> => new Promise(setImmediate)

test('an attempt waits until what it replaces has really ended', async () => {
  const attempts = new Attempts()
  const steps: string[] = []
  let endFirst = (): void => undefined
  const first = attempts.begin(async (signal) => {
    await new Promise<void>((resolve) => (endFirst = resolve))
    steps.push(signal.aborted ? 'first ended, cancelled' : 'first ended')
  })
  await turn()
  attempts.cancel()
  const second = attempts.begin(async () => void steps.push('second began'))
  await turn()
  expect(steps).toEqual([])
  endFirst()
  await Promise.all([first.done, second.done])
  expect(steps).toEqual(['first ended, cancelled', 'second began'])
  expect(attempts.isCurrent(first.signal)).toBe(false)
  expect(attempts.isCurrent(second.signal)).toBe(true)
})

test('one that is cancelled while it waits never begins', async () => {
  const attempts = new Attempts()
  let began = false
  const { done } = attempts.begin(async () => {
    began = true
  })
  attempts.cancel()
  await expect(done).rejects.toThrow('superseded')
  expect(began).toBe(false)
})

test('the end of a failed one is an end, and so is that of what else was waited for', async () => {
  const attempts = new Attempts()
  attempts.waitFor(Promise.reject(new Error('closing failed')))
  const { done } = attempts.begin(() => Promise.reject(new Error('refused')))
  await expect(done).rejects.toThrow('refused')
  attempts.cancel()
  await expect(attempts.ended).resolves.toBeUndefined()
})
