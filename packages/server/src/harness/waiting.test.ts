import { expect, test } from 'vitest'
import { foldLog } from './log/fold.ts'
import { log, user } from './log/log-fixture.ts'
import type { Moment, SessionState } from './session-state.ts'
import { judge } from './waiting.ts'

/** One finished turn for message `a` (seq 0 to 2); message `b` waits in the queue. */
const fold = foldLog(
  log(
    { type: 'turn/start', data: { turn: 1 } },
    { type: 'user/message', data: user('a', 'hi'), surfaceOp: 'append' },
    { type: 'turn/end', data: { turn: 1, reason: { kind: 'error', error: { code: 'X', message: 'x' } } } },
    {
      type: 'agent/inbox/spliced',
      data: { target: 'next-turn', start: 0, inserted: [user('b', 'later'), user('c', 'gone')] },
    },
    {
      type: 'agent/inbox/spliced',
      data: { target: 'next-turn', start: 1, removedCount: 1, inserted: [], outcome: 'canceled' },
    },
  ),
)

const moment = (state: SessionState): Moment => ({ state, agent: undefined, interactions: [], background: undefined })
type Until = 'settled' | 'idle' | 'turn' | 'input'
const ask = (state: SessionState, until: Until, messageId?: string, baseline = fold.nextSeq - 1) =>
  judge(moment(state), fold, { until, messageId }, baseline)

test('a session at work is waited for; background work too, unless only idleness is asked for', () => {
  for (const until of ['settled', 'idle', 'input', 'turn'] as const)
    expect(ask('running', until)).toEqual({ kind: 'on' })
  expect(ask('background', 'settled')).toEqual({ kind: 'on' })
  expect(ask('background', 'turn')).toEqual({ kind: 'on' })
  expect(ask('background', 'idle')).toMatchObject({ kind: 'quiet' })
})

test('a decision that is needed ends every wait', () => {
  for (const until of ['settled', 'idle', 'input', 'turn'] as const) {
    expect(ask('needs-input', until)).toMatchObject({ kind: 'done', reason: 'needs-input' })
  }
})

test('an idle session tells the turn that is news, or that there is none', () => {
  expect(ask('idle', 'settled', undefined, 1)).toMatchObject({ kind: 'quiet', reason: 'failed', turn: { turn: 1 } })
  expect(ask('idle', 'settled')).toMatchObject({ kind: 'quiet', reason: 'already-idle', parked: false })
})

test('one turn is enough where a turn is asked for, also while the next one runs; a message means its own turn', () => {
  expect(ask('running', 'turn', undefined, 1)).toMatchObject({ kind: 'done', turn: { turn: 1 } })
  expect(ask('running', 'turn', 'a')).toMatchObject({ kind: 'done', reason: 'failed' })
  expect(ask('running', 'settled', 'a')).toEqual({ kind: 'on' })
  expect(ask('running', 'turn', 'b', 1)).toEqual({ kind: 'on' })
})

test('a message that was thrown away is told at once, one that is parked once it is quiet', () => {
  expect(ask('running', 'settled', 'c')).toEqual({ kind: 'done', reason: 'discarded' })
  expect(ask('idle', 'settled', 'b')).toMatchObject({ kind: 'quiet', reason: 'already-idle', parked: true })
})
