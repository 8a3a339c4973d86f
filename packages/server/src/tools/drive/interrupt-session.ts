import type { Agent } from '@dsh-mcp/host'
import { z } from 'zod'
import { isActiveJob, presetService } from '../../harness/index.ts'
import type { Harness } from '../../harness/index.ts'
import { defineTool } from '../definition.ts'
import { sessionId } from '../inputs.ts'
import { state } from '../shapes.ts'

/** How long a stopped turn may take to end before the answer goes out, in milliseconds. */
const settleMs = 3000

function stopJobs(harness: Harness, agent: Agent): string[] {
  const jobs = harness.host.get('jobs')
  if (jobs === undefined) return []
  return jobs
    .list(agent)
    .filter(isActiveJob)
    .filter((job) => jobs.kill(job.id, agent, 'stopped by an MCP client') === 'requested')
    .map((job) => job.id)
}

function stopSubagents(harness: Harness, agent: Agent): string[] {
  const subagents = harness.host.get('subagents')
  const stopped: string[] = []
  for (const child of harness.background.liveSubagents(agent.id)) {
    if (child.status !== 'running') continue
    try {
      const parentSessionId = child.session.header.parentSession ?? agent.id
      subagents?.interrupt(child.id, { kind: 'user', parentSessionId })
      stopped.push(child.id)
    } catch {
      // A child that runs inside its parent's tool call stops with the parent's turn.
    }
  }
  return stopped
}

function pauseGoal(harness: Harness, agent: Agent): void {
  const goals = presetService(harness.host, agent, 'goals')
  const goal = goals?.get(agent)
  if (goal?.phase === 'active') goals?.pause(agent, { id: goal.id, revision: goal.revision })
}

function goalPhase(harness: Harness, agent: Agent): string | undefined {
  return presetService(harness.host, agent, 'goals')?.get(agent)?.phase
}

export const interruptSession = defineTool({
  name: 'dsh_interrupt_session',
  title: 'Interrupt session',
  description: 'Stop the running turn, optionally its jobs and subagents. What was written so far stays.',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  input: z.strictObject({
    sessionId,
    scope: z
      .enum(['turn', 'all'])
      .default('turn')
      .describe('turn: the running turn; all: also background jobs, subagents and the goal'),
    keepQueue: z.boolean().default(false).describe('Keep queued messages; they wait for the next message'),
  }),
  output: z.object({
    sessionId: z.string(),
    interrupted: z.boolean().describe('Whether a turn was running'),
    discarded: z.int().describe('Queued messages thrown away'),
    jobsStopped: z.array(z.string()),
    subagentsStopped: z.array(z.string()),
    goalPaused: z.boolean(),
    state,
  }),
  example: { sessionId: 'session-1' },
  async run({ sessionId: id, scope, keepQueue }, { harness, signal }) {
    const agent = harness.agents.get(id)
    if (agent === undefined) {
      // Says so when there is no such session at all.
      await harness.logs.read(id, signal)
      const nothing = { interrupted: false, discarded: 0, jobsStopped: [], subagentsStopped: [], goalPaused: false }
      return { sessionId: id, ...nothing, state: harness.lookAt(id).state }
    }
    harness.agents.requireRoot(agent)
    const goalBefore = goalPhase(harness, agent)
    const interrupted = agent.status === 'running'
    const queued = agent.inbox.nextTurn.length + agent.inbox.nextStep.length
    const subagentsStopped = scope === 'all' ? stopSubagents(harness, agent) : []
    if (interrupted || queued > 0) agent.cancel({ kind: 'user' }, { keepInbox: keepQueue })
    const jobsStopped = scope === 'all' ? stopJobs(harness, agent) : []
    if (scope === 'all') pauseGoal(harness, agent)
    if (interrupted) {
      const rest = { messageId: undefined, afterSeq: undefined, signal }
      await harness.waiting.wait({ sessionId: id, until: 'idle', timeoutMs: settleMs, ...rest })
    }
    const left = agent.inbox.nextTurn.length + agent.inbox.nextStep.length
    return {
      sessionId: id,
      interrupted,
      discarded: keepQueue ? 0 : Math.max(0, queued - left),
      jobsStopped,
      subagentsStopped,
      goalPaused: goalBefore === 'active' && goalPhase(harness, agent) === 'paused',
      state: harness.lookAt(id).state,
    }
  },
})
