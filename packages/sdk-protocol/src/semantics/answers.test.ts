import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonRpcResponseError } from '../errors.ts'
import type { SdkUserQuestion } from '../types/index.ts'
import { approvalOutcome, readApprovalOutcome, readUserQuestionResult } from './index.ts'

const questions: SdkUserQuestion[] = [
  { id: 'color', question: 'Which color?', options: [{ label: 'red' }, { label: 'blue' }] },
  { id: 'name', question: 'Which name?' },
]

describe('the answer to user-question/ask', () => {
  test('is read in the order of the questions', () => {
    const answers = [
      { id: 'name', selected: [], custom: 'Ada', note: 'ignored' },
      { id: 'color', selected: ['red'] },
    ]
    expect(readUserQuestionResult(questions, { answers })).toEqual({
      answers: [
        { id: 'color', selected: ['red'] },
        { id: 'name', selected: [], custom: 'Ada' },
      ],
    })
  })

  test('may be that the person closed the questions', () => {
    expect(readUserQuestionResult(questions, { cancelled: true })).toEqual({ cancelled: true })
  })

  const red = { id: 'color', selected: ['red'] }
  const ada = { id: 'name', selected: [], custom: 'Ada' }
  test.each([
    [null, 'it is not an object'],
    [[], 'it is not an object'],
    [{}, 'neither "answers" nor "cancelled"'],
    [{ cancelled: false }, '"cancelled" is not true'],
    [{ cancelled: true, answers: [] }, 'beside other members'],
    [{ answers: [red] }, 'question "name" is not answered'],
    [{ answers: [red, ada, red] }, 'question "color" is answered twice'],
    [{ answers: [red, ada, { id: 'other', selected: [] }] }, 'question "other" was not asked'],
    [{ answers: [red, { selected: [] }] }, 'an answer has no question id'],
    [{ answers: [red, { id: 'name' }] }, '"name" has no list of selected labels'],
    [{ answers: [red, { id: 'name', selected: [1] }] }, '"name" has no list of selected labels'],
    [{ answers: [red, { id: 'name', selected: [], custom: 1 }] }, '"name" are not text'],
  ])('%j is refused', (answer, why) => {
    expect(() => readUserQuestionResult(questions, answer)).toThrow(
      expect.objectContaining({ code: 'bad-answer', message: expect.stringContaining(why) }),
    )
  })
})

describe('the answer to approval/request', () => {
  test.each([
    [{ outcome: 'allowed-once' }, 'allowed-once'],
    [{ outcome: 'allowed-once', more: 1 }, 'allowed-once'],
    [{ outcome: 'rejected' }, 'rejected'],
    [{ outcome: 'cancelled' }, 'cancelled'],
    [{ outcome: 'unavailable' }, 'rejected'],
    [{ outcome: 'allowed' }, 'rejected'],
    [{ outcome: 'ALLOWED-ONCE' }, 'rejected'],
    [{ outcome: true }, 'rejected'],
    [{}, 'rejected'],
    ['allowed-once', 'rejected'],
    [null, 'rejected'],
    [undefined, 'rejected'],
  ])('%j is %s', async (answer, outcome) => {
    expect(readApprovalOutcome(answer)).toBe(outcome)
    expect(await approvalOutcome(Promise.resolve(answer))).toBe(outcome)
  })

  test('nothing but the one word allows', () => {
    fc.assert(
      fc.property(fc.anything(), (answer) => {
        const word = typeof answer === 'object' && answer !== null && (answer as { outcome?: unknown }).outcome
        if (word !== 'allowed-once') expect(readApprovalOutcome(answer)).not.toBe('allowed-once')
      }),
    )
  })

  test('an error answer and a lost connection deny', async () => {
    expect(await approvalOutcome(Promise.reject(new JsonRpcResponseError(-32601, 'method not found')))).toBe('rejected')
    expect(await approvalOutcome(Promise.reject(new Error('JSON-RPC input closed')))).toBe('rejected')
  })
})
