import { z } from 'zod'
import { clip, textOf } from '../../harness/index.ts'
import type { Harness, WaitOutcome } from '../../harness/index.ts'
import { defineTool, reads } from '../definition.ts'
import { count, sessionId } from '../inputs.ts'
import { goal, interaction, job, lastTurn, state } from '../shapes.ts'
import { backgroundView, interactionView, turnView } from '../views.ts'
import { nextStep } from './next-step.ts'

interface Reply {
  readonly text: string
  readonly seq: number
  readonly truncated: boolean
}

async function replyOf(
  harness: Harness,
  sessionId: string,
  { turn }: WaitOutcome,
  maxChars: number,
  signal: AbortSignal,
): Promise<Reply | null> {
  if (turn?.replySeq == null) return null
  const { events } = await harness.logs.read(sessionId, signal)
  const event = events[turn.replySeq]
  if (event?.type !== 'assistant/message') return null
  const text = textOf(event.data.message.content)
  return { text: clip(text, maxChars), seq: event.seq, truncated: text.length > maxChars }
}

export const waitSession = defineTool({
  name: 'dsh_wait_session',
  title: 'Wait for session',
  description:
    'Block until work settles, input is needed, or time runs out; returns the outcome and the last reply. timedOut is normal: call again.',
  hints: reads,
  input: z.strictObject({
    sessionId,
    until: z
      .enum(['settled', 'idle', 'turn', 'input'])
      .default('settled')
      .describe(
        'settled: nothing runs any more; idle: the agent is idle, background work may go on; turn: one turn has ended; input: a decision is needed, or settled',
      ),
    messageId: z.string().min(1).max(200).optional().describe('Wait for the turn of this message'),
    afterSeq: z.int().min(-1).optional().describe('Only turns that end after this seq are news'),
    timeoutSeconds: z
      .int()
      .min(0)
      .max(21_600)
      .default(50)
      .describe('Above 50 only if your client allows long requests'),
    includeReply: z.boolean().default(true),
    maxChars: count(200, 100_000, 12_000).describe('Limit for the reply'),
  }),
  output: z.object({
    sessionId: z.string(),
    state,
    reason: z.enum(['completed', 'failed', 'aborted', 'needs-input', 'stored', 'timeout', 'discarded', 'already-idle']),
    timedOut: z.boolean(),
    waitedMs: z.int(),
    lastTurn: lastTurn.nullable().describe('Once it has ended: the turn of messageId, else the last one'),
    reply: z
      .object({ text: z.string(), seq: z.int(), truncated: z.boolean() })
      .nullable()
      .describe('Last text of that turn, so far where it still runs'),
    interactions: z.array(interaction),
    background: z.object({ goal: goal.nullable(), jobs: z.array(job), subagents: z.array(z.string()) }),
    lastSeq: z.int(),
    next: z.string(),
  }),
  example: { sessionId: 'session-1', messageId: '6d1f…', timeoutSeconds: 50 },
  async run(args, { harness, signal }) {
    const { sessionId, until, messageId, afterSeq, timeoutSeconds, includeReply, maxChars } = args
    const outcome = await harness.waiting.wait({
      sessionId,
      until,
      messageId,
      afterSeq,
      timeoutMs: timeoutSeconds * 1000,
      signal,
    })
    const { reason, moment } = outcome
    const reply = includeReply ? await replyOf(harness, sessionId, outcome, maxChars, signal) : null
    const cut = reply?.truncated === true ? ' The reply is cut: a larger maxChars shows more of it.' : ''
    return {
      sessionId,
      state: moment.state,
      reason,
      timedOut: reason === 'timeout',
      waitedMs: outcome.waitedMs,
      lastTurn: turnView(outcome.turn),
      reply,
      interactions: moment.interactions.map((pending) => interactionView(harness, pending)),
      background: backgroundView(moment.background),
      lastSeq: outcome.lastSeq,
      next: `${nextStep(outcome)}${cut}`,
    }
  },
})
