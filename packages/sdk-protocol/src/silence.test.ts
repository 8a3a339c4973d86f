import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Silence } from './silence.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A silence that is waited for, and what it was told. */
function waited() {
  const silence = new Silence()
  const silent = vi.fn()
  silence.await(silent)
  return { silence, silent }
}

test('it is told once, 200 ms after the last that was heard and one look at what came meanwhile', () => {
  const { silent } = waited()
  vi.advanceTimersByTime(200)
  expect(silent).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(silent).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(10_000)
  expect(silent).toHaveBeenCalledOnce()
})

test('what is heard again and again is waited for', () => {
  const { silence, silent } = waited()
  for (let time = 0; time < 2_000; time += 150) {
    silence.heard()
    vi.advanceTimersByTime(150)
  }
  expect(silent).not.toHaveBeenCalled()
  vi.advanceTimersByTime(402)
  expect(silent).toHaveBeenCalledOnce()
})

test('what a busy event loop had not read yet counts as heard', () => {
  const { silence, silent } = waited()
  // Timers that are due run before what has arrived is read.
  vi.advanceTimersByTime(200)
  silence.heard()
  vi.advanceTimersByTime(1)
  expect(silent).not.toHaveBeenCalled()
  vi.advanceTimersByTime(201)
  expect(silent).toHaveBeenCalledOnce()
})

test('stopped, it is never told and leaves no timer', () => {
  const { silence, silent } = waited()
  silence.stop()
  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(10_000)
  expect(silent).not.toHaveBeenCalled()
})
