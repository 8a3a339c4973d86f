import type { GoalView, JobSnapshot, ModelSelection } from '@dsh-mcp/host'
import type { z } from 'zod'
import { clip, isActiveJob } from '../harness/index.ts'
import type { Background, Harness, Listed, Pending, Turn } from '../harness/index.ts'
import type { Immutable } from './definition.ts'
import type * as shapes from './shapes.ts'

type Shapes = typeof shapes
type Shape<Name extends keyof Shapes> = Immutable<z.output<Shapes[Name]>>

/** From what the harness tells to the result shapes. */

export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

export function modelView(selection: ModelSelection | undefined): Shape<'modelShape'> | null {
  if (selection === undefined) return null
  const { provider, model, reasoningEffort } = selection
  return { provider, model, reasoningEffort: reasoningEffort ?? null }
}

export function turnView(turn: Turn | undefined): Shape<'lastTurn'> | null {
  if (turn?.outcome == null || turn.endedSeq === null || turn.endedAt === null) return null
  const { startedSeq, endedSeq, outcome, error, cancelledBy } = turn
  return {
    turn: turn.turn,
    outcome,
    startedSeq,
    endedSeq,
    startedAt: isoTime(turn.startedAt),
    endedAt: isoTime(turn.endedAt),
    error,
    cancelledBy,
  }
}

export function summaryView(listed: Listed): Shape<'summary'> {
  const { title, createdAt, updatedAt, ...rest } = listed
  return { ...rest, title: title ?? null, createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt) }
}

export function goalView(goal: GoalView | undefined): Shape<'goal'> | null {
  if (goal === undefined) return null
  const { objective, phase, activation, roundsStarted, maxGoalRounds, blockedReason } = goal
  return {
    objective,
    phase,
    activation,
    roundsStarted,
    maxGoalRounds,
    blockedReason: blockedReason?.message ?? null,
  }
}

export function jobView(job: JobSnapshot): Shape<'job'> {
  return {
    jobId: job.id,
    kind: job.kind,
    label: job.label,
    status: job.status,
    startedAt: isoTime(job.startedAt),
    finishedAt: job.finishedAt === undefined ? null : isoTime(job.finishedAt),
    detail: job.detail ?? null,
  }
}

/** What goes on by itself. */
export function backgroundView(background: Background | undefined) {
  return {
    goal: background?.goal?.phase === 'complete' ? null : goalView(background?.goal),
    jobs: (background?.jobs ?? []).filter(isActiveJob).map(jobView),
    subagents: (background?.runningSubagents ?? []).map((agent) => agent.id),
  }
}

const argumentChars = 4000

/** The arguments of a call, from the session's own log. */
function callArguments(harness: Harness, sessionId: string, callId: string | undefined): string | null {
  if (callId === undefined) return null
  const event = harness.agents
    .get(sessionId)
    ?.session.events.findLast((each) => each.type === 'tool/call' && each.data.callId === callId)
  return event?.type === 'tool/call' ? clip(event.data.arguments, argumentChars) : null
}

export function interactionView(harness: Harness, pending: Pending): Shape<'interaction'> {
  const { interactionId, sessionId, requestedAt } = pending
  const common = { interactionId, sessionId, requestedAt: isoTime(requestedAt) }
  if (pending.kind === 'approval') {
    const { toolName, callId, reason } = pending
    return {
      ...common,
      kind: 'approval',
      title: `Allow ${toolName}?`,
      approval: {
        toolName,
        callId: callId ?? null,
        reason: reason ?? null,
        arguments: callArguments(harness, sessionId, callId),
      },
    }
  }
  const { questions } = pending
  return {
    ...common,
    kind: 'question',
    title: questions[0]?.header ?? questions[0]?.question ?? 'Question',
    question: {
      questions: questions.map((question) => ({
        questionId: question.id,
        header: question.header ?? null,
        question: question.question,
        detail: question.detail ?? null,
        options: (question.options ?? []).map(({ label, description }) => ({
          label,
          description: description ?? null,
        })),
        multiSelect: question.multiSelect === true,
      })),
      intent: questions.find((question) => question.intent !== undefined)?.intent?.kind ?? null,
    },
  }
}

/** A transcript as text: one line of head for each item, then its text. */
export function transcriptText(items: readonly Shape<'item'>[]): string {
  return items
    .map(({ seq, type, text, tool, turn, truncated, fullChars, source }) => {
      const name = tool === undefined ? '' : ` ${tool.name}${tool.isError === true ? ' (error)' : ''}`
      const where = turn === undefined ? '' : ` turn ${turn}`
      const from = source === undefined ? '' : ` from ${source}`
      const cut = truncated === true ? ` (cut, ${fullChars} characters in full)` : ''
      const body = [tool?.arguments, text].filter((part) => part !== undefined && part !== '').join('\n')
      return `[${seq}] ${type}${name}${where}${from}${cut}${body === '' ? '' : `\n${body}`}`
    })
    .join('\n')
}
