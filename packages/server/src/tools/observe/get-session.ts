import type { UserMessage } from '@dsh-mcp/host'
import { z } from 'zod'
import { clip, textOf, usageOf } from '../../harness/index.ts'
import type { Harness, LogView, MessageQueue } from '../../harness/index.ts'
import { defineTool, reads } from '../definition.ts'
import type { Immutable } from '../definition.ts'
import { sessionId } from '../inputs.ts'
import * as shapes from '../shapes.ts'
import { goalView, interactionView, isoTime, jobView, modelView, summaryView, turnView } from '../views.ts'

const queueChars = 500

export const detailShape = shapes.summary.extend({
  model: shapes.modelShape.nullable(),
  permissionPreset: z.string().nullable(),
  planMode: z.boolean(),
  lastTurn: shapes.lastTurn.nullable(),
  openTurn: z.object({ turn: z.int(), startedSeq: z.int(), startedAt: shapes.time }).nullable(),
  lastSeq: z.int(),
  queue: z.array(
    z.object({ messageId: z.string(), placement: z.enum(['queued', 'steering', 'context']), text: z.string() }),
  ),
  interactions: z.array(shapes.interaction),
  todos: z.array(z.object({ content: z.string(), status: z.string() })),
  goal: shapes.goal.nullable(),
  jobs: z.array(shapes.job).nullable(),
  subagents: z.array(shapes.subagent).nullable(),
  usage: shapes.usage,
  resources: z.object({ transcript: z.string() }),
  missing: z.array(z.string()).describe('Parts this harness cannot tell'),
})

export type SessionDetail = Immutable<z.output<typeof detailShape>>

function queueOf({ nextTurn, nextStep }: MessageQueue) {
  const entry = (placement: 'queued' | 'steering' | 'context', message: UserMessage) => ({
    messageId: message.id,
    placement,
    text: clip(textOf(message.content), queueChars),
  })
  return [
    ...nextTurn.map((message) => entry('queued', message)),
    ...nextStep.map((message) => entry(message.source.kind === 'user' ? 'steering' : 'context', message)),
  ]
}

async function subagentsOf(harness: Harness, id: string, missing: string[], signal: AbortSignal) {
  try {
    const entries = await harness.background.listSubagents(id, signal)
    if (entries !== undefined) {
      return entries.flatMap((entry) =>
        entry.kind === 'child'
          ? [
              {
                sessionId: entry.id,
                label: entry.label ?? null,
                mode: entry.mode,
                activity: entry.activity,
                depth: entry.depth ?? 1,
              },
            ]
          : [],
      )
    }
  } catch {
    signal.throwIfAborted()
    // Told below; the rest of the session is still worth showing.
  }
  missing.push('subagents')
  return null
}

function modelOf(harness: Harness, { fold }: LogView, id: string) {
  const agent = harness.agents.get(id)
  return modelView(agent === undefined ? fold.model : harness.models.currentOf(agent))
}

/** All that is known of one session now. */
export async function sessionDetail(harness: Harness, id: string, signal: AbortSignal): Promise<SessionDetail> {
  const view = await harness.logs.read(id, signal)
  const { fold, events } = view
  const { agent, interactions, background } = harness.lookAt(id)
  const missing: string[] = []
  for (const service of ['permissionPresets', 'goals', 'jobs', 'tokenMeter'] as const) {
    const present = harness.host.get(service) !== undefined || (service === 'goals' && background?.goal !== undefined)
    if (!present) missing.push(service)
  }
  const openTurn = fold.openTurn()
  return {
    ...summaryView(await harness.list.one(id, signal)),
    model: modelOf(harness, view, id),
    permissionPreset: harness.host.get('permissionPresets')?.current(events) ?? null,
    planMode: fold.planMode,
    lastTurn: turnView(fold.lastEndedTurn()),
    openTurn:
      openTurn === undefined
        ? null
        : { turn: openTurn.turn, startedSeq: openTurn.startedSeq, startedAt: isoTime(openTurn.startedAt) },
    lastSeq: events.length - 1,
    queue: queueOf(agent?.inbox ?? fold.queue),
    interactions: interactions.map((pending) => interactionView(harness, pending)),
    todos: (fold.todos ?? []).map(({ content, status }) => ({ content, status })),
    goal: goalView(background?.goal),
    jobs: harness.host.get('jobs') === undefined ? null : (background?.jobs ?? []).map(jobView),
    subagents: await subagentsOf(harness, id, missing, signal),
    usage: await usageOf(harness.host, view, signal),
    resources: { transcript: `dsh://session/${id}` },
    missing,
  }
}

export const getSession = defineTool({
  name: 'dsh_get_session',
  title: 'Get session',
  description: 'One session now: state, last turn, queue, decisions, todos, goal, jobs, children, usage.',
  hints: reads,
  input: z.strictObject({ sessionId }),
  output: detailShape,
  example: { sessionId: 'session-1' },
  run: (args, { harness, signal }) => sessionDetail(harness, args.sessionId, signal),
})
