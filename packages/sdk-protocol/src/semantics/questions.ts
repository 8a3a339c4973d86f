import { SdkProtocolError } from '../errors.ts'
import type { SdkUserQuestion, SdkUserQuestionAnswer, SdkUserQuestionResult } from '../types/index.ts'

/**
 * Reads the answer to `user-question/ask`: every question answered exactly once, or closed by the person.
 *
 * @param questions the questions that were asked
 * @param answer what the client answered, unchecked
 * @returns the answers in the order of the questions, or `{ cancelled: true }`
 * @throws SdkProtocolError `bad-answer` says which answer is wrong; nothing is made up in its place
 */
export function readUserQuestionResult(questions: readonly SdkUserQuestion[], answer: unknown): SdkUserQuestionResult {
  if (!isRecord(answer)) throw bad('it is not an object')
  if ('cancelled' in answer) {
    if (answer.cancelled !== true) throw bad('"cancelled" is not true')
    if (Object.keys(answer).length > 1) throw bad('"cancelled" stands beside other members')
    return { cancelled: true }
  }
  if (!Array.isArray(answer.answers)) throw bad('it has neither "answers" nor "cancelled"')
  const byId = new Map<string, SdkUserQuestionAnswer>()
  for (const entry of answer.answers as readonly unknown[]) {
    const read = readAnswer(entry)
    if (byId.has(read.id)) throw bad(`question "${read.id}" is answered twice`)
    byId.set(read.id, read)
  }
  const answers = questions.map(({ id }) => {
    const found = byId.get(id)
    if (found === undefined) throw bad(`question "${id}" is not answered`)
    byId.delete(id)
    return found
  })
  const [stranger] = byId.keys()
  if (stranger !== undefined) throw bad(`question "${stranger}" was not asked`)
  return { answers }
}

function readAnswer(entry: unknown): SdkUserQuestionAnswer {
  if (!isRecord(entry) || typeof entry.id !== 'string') throw bad('an answer has no question id')
  const { id, selected, custom } = entry
  if (!Array.isArray(selected) || !selected.every((label) => typeof label === 'string')) {
    throw bad(`the answer to "${id}" has no list of selected labels`)
  }
  if (custom !== undefined && typeof custom !== 'string')
    throw bad(`the own words of the answer to "${id}" are not text`)
  return custom === undefined ? { id, selected } : { id, selected, custom }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function bad(why: string): SdkProtocolError {
  return new SdkProtocolError('bad-answer', `the answer to user-question/ask is refused: ${why}`)
}
