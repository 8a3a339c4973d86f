import type { Question } from '@dsh-mcp/host'
import { z } from 'zod'
import { Failure } from '../../harness/index.ts'
import type { Answer, PendingQuestion } from '../../harness/index.ts'
import { defineTool } from '../definition.ts'
import { interactionId } from '../inputs.ts'
import { notPending, requirePending } from './pending.ts'

const answer = z.strictObject({
  questionId: z.string().min(1).max(200),
  selected: z.array(z.string().max(1000)).max(20).default([]).describe('Labels of the chosen options'),
  text: z.string().trim().min(1).max(10_000).optional().describe('Own words instead of an option'),
})

type Given = z.output<typeof answer>

function bad(message: string, hint: string): Failure {
  return new Failure('bad_answer', message, { hint })
}

function quoted(labels: readonly string[]): string {
  return labels.map((label) => JSON.stringify(label)).join(', ')
}

/** @throws Failure `bad_answer` naming the field and what would be valid. */
function checked(question: Question, given: Given | undefined): Answer {
  const { id, multiSelect } = question
  const labels = (question.options ?? []).map((option) => option.label)
  const offer = labels.length === 0 ? 'It has no options: answer with text.' : `Options: ${quoted(labels)}.`
  if (given === undefined) {
    throw bad(`answers lacks question "${id}"`, `All questions are answered together. ${offer}`)
  }
  const wrong = given.selected.filter((label) => !labels.includes(label))
  if (wrong.length > 0) throw bad(`selected of question "${id}" has no such option: ${quoted(wrong)}`, offer)
  if (new Set(given.selected).size !== given.selected.length) {
    throw bad(`selected of question "${id}" names an option twice`, 'Name each option once.')
  }
  if (multiSelect !== true && given.selected.length > 1) {
    throw bad(`selected of question "${id}" names ${given.selected.length} options`, `Choose one. ${offer}`)
  }
  if (multiSelect !== true && given.selected.length > 0 && given.text !== undefined) {
    throw bad(`question "${id}" has both selected and text`, 'Give one of the two.')
  }
  if (given.selected.length === 0 && given.text === undefined) {
    throw bad(`question "${id}" has neither selected nor text`, offer)
  }
  return { id, selected: given.selected, ...(given.text === undefined ? {} : { custom: given.text }) }
}

/** The answers in the order of the questions. */
function inOrder({ questions }: PendingQuestion, answers: readonly Given[]): readonly Answer[] {
  const known = questions.map((question) => question.id)
  for (const { questionId } of answers) {
    if (!known.includes(questionId)) throw bad(`no question "${questionId}"`, `Questions: ${quoted(known)}.`)
  }
  if (new Set(answers.map((each) => each.questionId)).size !== answers.length) {
    throw bad('a question is answered twice', 'Give one answer for each question.')
  }
  return questions.map((question) =>
    checked(
      question,
      answers.find((each) => each.questionId === question.id),
    ),
  )
}

export const answerQuestion = defineTool({
  name: 'dsh_answer_question',
  title: 'Answer question',
  description: 'Answer or dismiss one pending question set. Ask the user where you do not know.',
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  input: z.strictObject({
    interactionId,
    answers: z.array(answer).min(1).max(50).optional().describe('One for each question'),
    dismiss: z.boolean().default(false).describe('Leave all unanswered; the agent is told'),
  }),
  output: z.object({
    interactionId: z.string(),
    sessionId: z.string(),
    accepted: z.boolean(),
    dismissed: z.boolean(),
  }),
  example: { interactionId: '0b7c…', answers: [{ questionId: 'database', selected: ['PostgreSQL'] }] },
  async run({ interactionId, answers, dismiss }, { harness }) {
    if ((answers === undefined) !== dismiss) {
      throw new Failure('invalid_argument', 'give exactly one of answers and dismiss', {
        hint: 'answers to answer, dismiss: true to leave the questions unanswered.',
      })
    }
    const pending = requirePending(harness, 'question', interactionId, undefined)
    const { interactions } = harness
    const receipt =
      answers === undefined
        ? await interactions.dismiss(pending)
        : await interactions.answer(pending, inOrder(pending, answers))
    if (receipt === 'not-pending') throw notPending(interactionId)
    if (receipt === 'bad-answer') throw bad('the harness did not accept the answers', 'Read the questions again.')
    return { interactionId, sessionId: pending.sessionId, accepted: true, dismissed: dismiss }
  },
})
