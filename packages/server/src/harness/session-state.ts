import type { Agent } from '@dsh-mcp/host'
import type { Agents } from './agents.ts'
import type { Background, BackgroundWork } from './background.ts'
import type { Interactions, Pending } from './interactions/index.ts'

/** `stored`: in the store, not live. `background`: the turn is over, but goal, jobs or subagents go on. */
export type SessionState = 'running' | 'needs-input' | 'background' | 'idle' | 'stored'

/** A session at one moment. */
export interface Moment {
  readonly state: SessionState
  readonly agent: Agent | undefined
  readonly interactions: readonly Pending[]
  readonly background: Background | undefined
}

/** Looks at a session without waiting for anything. */
export type LookAt = (sessionId: string) => Moment

export function createLookAt(agents: Agents, interactions: Interactions, background: BackgroundWork): LookAt {
  return (sessionId) => {
    const agent = agents.get(sessionId)
    if (agent === undefined) return { state: 'stored', agent, interactions: [], background: undefined }
    const pending = interactions.list().filter((entry) => entry.sessionId === sessionId)
    const work = background.of(agent)
    const moment = { agent, interactions: pending, background: work }
    if (pending.length > 0) return { state: 'needs-input', ...moment }
    if (agent.status === 'running') return { state: 'running', ...moment }
    return { state: background.goesOn(work) ? 'background' : 'idle', ...moment }
  }
}
