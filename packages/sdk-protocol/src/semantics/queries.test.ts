import { describe, expect, test } from 'vitest'
import { JsonRpcResponseError } from '../errors.ts'
import { isUnknownMethod, QueryCompletions } from './index.ts'

const completion = (commandId: string, sessionId = 's') => ({ sessionId, commandId, finalResponse: `of ${commandId}` })

describe('completions of queries', () => {
  test('reach their query whether they come before or after it asks', async () => {
    const completions = new QueryCompletions()
    completions.add(completion('early'))
    const late = completions.of('s', 'late')
    const again = completions.of('s', 'late')
    completions.add(completion('other'))
    completions.add(completion('late'))
    expect(await completions.of('s', 'early')).toEqual(completion('early'))
    expect(await late).toEqual(completion('late'))
    expect(await again).toEqual(completion('late'))
  })

  test('of another session with the same command id are not mixed up', async () => {
    const completions = new QueryCompletions()
    completions.add(completion('c', 'other'))
    const own = completions.of('s', 'c')
    completions.add(completion('c'))
    expect(await own).toEqual(completion('c'))
  })

  test('that nobody asks for are kept up to the limit', async () => {
    const completions = new QueryCompletions(2)
    for (const id of ['a', 'b', 'c']) completions.add(completion(id))
    expect(await completions.of('s', 'c')).toEqual(completion('c'))
    expect(await completions.of('s', 'b')).toEqual(completion('b'))
    const dropped = completions.of('s', 'a')
    completions.end(new Error('gone'))
    await expect(dropped).rejects.toThrow('gone')
  })

  test('reject when the connection ends, later questions too; what arrived before is still told', async () => {
    const completions = new QueryCompletions()
    completions.add(completion('arrived'))
    const waiting = completions.of('s', 'waiting')
    completions.end(new Error('JSON-RPC input closed'))
    completions.end(new Error('again'))
    await expect(waiting).rejects.toThrow('JSON-RPC input closed')
    await expect(completions.of('s', 'later')).rejects.toThrow('JSON-RPC input closed')
    expect(await completions.of('s', 'arrived')).toEqual(completion('arrived'))
  })
})

test.each([
  [new JsonRpcResponseError(-32603, 'unknown DeepSeek Harness SDK runtime method: session/query'), true],
  [new JsonRpcResponseError(-32601, 'method not found: session/query'), true],
  [new JsonRpcResponseError(-32603, 'unknown DeepSeek Harness SDK runtime method: session/other'), false],
  [new JsonRpcResponseError(-32603, 'SDK server is not initialized'), false],
  [new JsonRpcResponseError(undefined, 'JSON-RPC error'), false],
  [new Error('unknown DeepSeek Harness SDK runtime method: session/query'), false],
])('%s tells of an unknown method: %j', (error, expected) => {
  expect(isUnknownMethod(error, 'session/query')).toBe(expected)
})
