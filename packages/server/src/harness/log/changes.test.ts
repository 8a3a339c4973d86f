import { expect, test } from 'vitest'
import { fileChanges } from './changes.ts'
import { log } from './log-fixture.ts'

const step = { turn: 1, step: 1 }
const call = (callId: string, name: string, args: object) => ({
  type: 'tool/call' as const,
  data: { ...step, callId, name, arguments: JSON.stringify(args) },
})
const result = (callId: string, meta: unknown, isError = false) => ({
  type: 'tool/result' as const,
  data: {
    ...step,
    meta,
    message: { role: 'user', content: [{ type: 'tool-result' as const, toolCallId: callId, isError, content: [] }] },
  },
  surfaceOp: 'append' as const,
})

test('an edit shows the lines that differ, a new file all of its lines', () => {
  const changes = fileChanges(
    log(
      call('1', 'edit', { file_path: '/a' }),
      result('1', { diffs: [{ path: '/a', oldText: 'same\nold\nsame\n', newText: 'same\nnew\nmore\nsame\n' }] }),
      call('2', 'write', { file_path: '/b', content: 'one\ntwo\n' }),
      result('2', { diffs: [] }),
    ),
    -1,
  )
  expect(changes).toEqual([
    { path: '/a', operation: 'edit', seq: 1, turn: 1, added: 2, removed: 1, diff: '@@\n-old\n+new\n+more' },
    { path: '/b', operation: 'write', seq: 3, turn: 1, added: 2, removed: 0, diff: '@@\n+one\n+two' },
  ])
})

test('failed calls, tools that report no files and damaged reports change nothing', () => {
  const events = log(
    call('1', 'edit', { file_path: '/a' }),
    result('1', { diffs: [{ path: '/a', oldText: 'x', newText: 'y' }] }, true),
    call('2', 'bash', { command: 'rm -rf x' }),
    result('2', { exitCode: 0 }),
    call('3', 'edit', { file_path: '/c' }),
    result('3', { diffs: [{ path: '/c' }] }),
    call('4', 'write', {}),
    result('4', { diffs: [] }),
  )
  expect(fileChanges(events, -1)).toEqual([])
})

test('only what came after the given seq counts, with calls from before it', () => {
  const events = log(
    call('1', 'write', { file_path: '/a', content: 'x' }),
    call('2', 'write', { file_path: '/b', content: 'y' }),
    result('1', { diffs: [] }),
    result('2', { diffs: [] }),
  )
  expect(fileChanges(events, 2).map((change) => change.path)).toEqual(['/b'])
})
