import { expect, test } from 'vitest'
import { refreshPause } from './refresh-pause.ts'
import { manualClock } from './test-rig.ts'
import type { TokenFailure } from './token-source.ts'

const outage: TokenFailure = { kind: 'failed', code: 'server-error', reason: 'HTTP 503' }

test('pauses grow from 1 s to 15 s while the outage lasts, and are short again after it', () => {
  const clock = manualClock()
  const pause = refreshPause(clock)
  expect(pause.outcome()).toBeUndefined()
  for (const seconds of [1, 2, 4, 8, 15, 15]) {
    pause.begin(outage)
    clock.move(seconds * 1_000 - 1)
    expect(pause.outcome()).toBe(outage)
    clock.move(1)
    expect(pause.outcome()).toBeUndefined()
  }
  pause.begin(outage)
  pause.end()
  expect(pause.outcome()).toBeUndefined()
  pause.begin(outage)
  clock.move(1_000)
  expect(pause.outcome()).toBeUndefined()
})
