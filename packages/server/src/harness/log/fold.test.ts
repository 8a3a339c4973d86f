import type { SessionEvent } from '@dsh-mcp/host'
import { expect, test } from 'vitest'
import { foldLog } from './fold.ts'
import { log, user } from './log-fixture.ts'

test('a message is followed from the queue into its turn', () => {
  const events = log(
    {
      type: 'agent/inbox/spliced',
      data: { target: 'next-turn', start: 0, inserted: [user('a', 'hi'), user('b', 'there')] },
    },
    { type: 'turn/start', data: { turn: 1 } },
    { type: 'agent/inbox/spliced', data: { target: 'next-turn', start: 0, removedCount: 1, inserted: [] } },
    { type: 'user/message', data: user('a', 'hi'), surfaceOp: 'append' },
    {
      type: 'assistant/message',
      data: { turn: 1, step: 1, message: { content: [{ type: 'text', text: 'hello' }] } },
      surfaceOp: 'append',
    },
    { type: 'turn/end', data: { turn: 1, reason: { kind: 'completed' } } },
  )
  const fold = foldLog(events)
  expect(fold.fateOf('a')).toMatchObject({ kind: 'claimed', turn: { turn: 1, outcome: 'completed', replySeq: 4 } })
  expect(fold.fateOf('b')).toEqual({ kind: 'queued' })
  expect(fold.fateOf('c')).toEqual({ kind: 'unknown' })
  expect(fold.openTurn()).toBeUndefined()
  expect(fold.lastEndedTurn()).toMatchObject({ turn: 1, startedSeq: 1, endedSeq: 5 })
})

test('a message that was taken out of the queue is discarded; one that was edited in place is not', () => {
  const fold = foldLog(
    log(
      {
        type: 'agent/inbox/spliced',
        data: { target: 'next-turn', start: 0, inserted: [user('a', '1'), user('b', '2')] },
      },
      {
        type: 'agent/inbox/spliced',
        data: { target: 'next-turn', start: 0, removedCount: 1, inserted: [], outcome: 'canceled' },
      },
      {
        type: 'agent/inbox/spliced',
        data: { target: 'next-turn', start: 0, removedCount: 1, inserted: [user('b', '3')], outcome: 'canceled' },
      },
    ),
  )
  expect(fold.fateOf('a')).toEqual({ kind: 'discarded' })
  expect(fold.fateOf('b')).toEqual({ kind: 'queued' })
})

test('a claimed message whose step was rejected belongs to the turn that claimed it', () => {
  const fold = foldLog(
    log(
      { type: 'agent/inbox/spliced', data: { target: 'next-turn', start: 0, inserted: [user('a', '1')] } },
      { type: 'turn/start', data: { turn: 7 } },
      { type: 'agent/inbox/spliced', data: { target: 'next-turn', start: 0, removedCount: 1, inserted: [] } },
      { type: 'turn/end', data: { turn: 7, reason: { kind: 'blocked' } } },
    ),
  )
  expect(fold.fateOf('a')).toMatchObject({ kind: 'claimed', turn: { turn: 7, outcome: 'blocked' } })
})

test('the last word counts: model, title, preset, todos, plan mode, sandbox', () => {
  const fold = foldLog(
    log(
      { type: 'request/header', data: { header: { config: { provider: 'p', model: 'old' } } } },
      { type: 'session/title', data: { title: 'First' } },
      { type: 'sandbox/mode', data: { mode: 'workspace-write' } },
      { type: 'agent-preset/selected', data: { agentPreset: 'minimal' } },
      { type: 'todo/write', data: { todos: [{ content: 'x', status: 'pending' }] } },
      { type: 'plan/mode', data: { active: true } },
      { type: 'request/header', data: { header: { config: { provider: 'p', model: 'new' } } } },
      { type: 'session/title', data: { title: 'Second' } },
      { type: 'sandbox/mode', data: { mode: 'read-only' } },
    ),
  )
  expect(fold).toMatchObject({
    model: { provider: 'p', model: 'new' },
    modelSeq: 6,
    title: 'Second',
    sandboxMode: 'read-only',
    agentPreset: 'minimal',
    planMode: true,
    todos: [{ content: 'x', status: 'pending' }],
    nextSeq: 9,
  })
})

test('events of types we do not know are passed over', () => {
  const events = log(
    { type: 'turn/start', data: { turn: 1 } },
    { type: 'turn/end', data: { turn: 1, reason: { kind: 'completed' } } },
  )
  const strange = { type: 'later/invention', seq: 2, time: 0, data: { anything: true } } as unknown as SessionEvent
  expect(foldLog([...events, strange])).toMatchObject({ nextSeq: 3 })
})
