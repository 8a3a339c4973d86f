import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { Failure, presetOf, serviceUnavailable, userMessage } from '../../harness/index.ts'
import type { LogView, Turn } from '../../harness/index.ts'
import { defineTool } from '../definition.ts'
import * as inputs from '../inputs.ts'

interface Place {
  readonly atSeq?: number | undefined
  readonly atTurn?: number | undefined
}

/** The finished turn to branch after. */
function forkTurn({ fold }: LogView, { atSeq, atTurn }: Place): Turn & { readonly endedSeq: number } {
  const finished = fold.turns.filter((turn) => turn.endedSeq !== null)
  const turn =
    atTurn === undefined
      ? finished.findLast((each) => atSeq === undefined || each.endedSeq! <= atSeq)
      : finished.findLast((each) => each.turn === atTurn)
  if (turn?.endedSeq != null) return { ...turn, endedSeq: turn.endedSeq }
  const asked =
    atTurn === undefined ? (atSeq === undefined ? '' : ` at or before seq ${atSeq}`) : ` with the number ${atTurn}`
  const known = finished.map((each) => each.turn)
  throw new Failure('fork_unavailable', `the session has no finished turn${asked}`, {
    hint:
      known.length === 0
        ? 'Wait until its first turn has ended (dsh_wait_session {until: "turn"}).'
        : `Finished turns: ${known.join(', ')}.`,
    details: { finishedTurns: known },
  })
}

/** What belongs to a finished turn: its events and those that follow before the next turn begins. */
function cutAfter({ events }: LogView, endedSeq: number): number {
  let cut = endedSeq + 1
  while (cut < events.length && events[cut]!.type !== 'turn/start') cut++
  return cut
}

export const forkSession = defineTool({
  name: 'dsh_fork_session',
  title: 'Fork session',
  description: 'Branch a new session from a finished turn of another; the other goes on unchanged.',
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  input: z.strictObject({
    sessionId: inputs.sessionId,
    atSeq: z.int().min(0).optional().describe('Snaps back to the end of the turn before'),
    atTurn: z.int().min(0).optional().describe('Turn number; without either: the last finished turn'),
    title: inputs.title.optional(),
    prompt: inputs.prompt.optional().describe('First message of the branch'),
  }),
  output: z.object({
    sessionId: z.string(),
    parentSessionId: z.string(),
    seedLength: z.int(),
    forkedAtSeq: z.int(),
    forkedAtTurn: z.int(),
    messageId: z.string().nullable(),
    afterSeq: z.int(),
  }),
  example: { sessionId: 'session-1', atTurn: 2, prompt: 'Try it without a new dependency.' },
  async run({ sessionId: id, title, prompt, ...place }, { harness, client, signal }) {
    if (place.atSeq !== undefined && place.atTurn !== undefined) {
      throw new Failure('invalid_argument', 'atSeq and atTurn exclude each other', { hint: 'Give one of them.' })
    }
    const { agents, host, logs, models, policy, presets, workspaces } = harness
    const view = await logs.read(id, signal)
    await policy.requireDrivable(view)
    const turn = forkTurn(view, place)
    const seed = view.events.slice(0, cutAfter(view, turn.endedSeq))
    const model = view.fold.model ?? models.defaultSelection()
    if (model === undefined) throw serviceUnavailable('agentDefaultModel')
    const titles = host.get('sessionTitle')
    if (title !== undefined && titles === undefined) throw serviceUnavailable('sessionTitle')
    const composition = await presets.compose(presetOf(view))
    const message = prompt === undefined ? undefined : await userMessage(host, prompt, [], client)

    const sessionId = `session-${randomUUID()}`
    const { cwd } = view.header
    const fork = { parentSession: id, seed }
    const agent = await agents.create({ sessionId, cwd, composition, model, pinModel: false, fork })
    // What waited in the parent's queue at that place is the parent's to do.
    for (const { id: queued } of [...agent.inbox.nextStep, ...agent.inbox.nextTurn]) agent.inbox.remove?.(queued)
    if (title !== undefined) titles?.rename(agent.session, title)
    await workspaces.attach(sessionId, cwd ?? '', workspaces.bySession().get(id))
    const afterSeq = agent.session.seq - 1
    if (message !== undefined) agent.followup(message)
    await agents.persist(agent)
    return {
      sessionId,
      parentSessionId: id,
      seedLength: seed.length,
      forkedAtSeq: turn.endedSeq,
      forkedAtTurn: turn.turn,
      messageId: message?.id ?? null,
      afterSeq,
    }
  },
})
