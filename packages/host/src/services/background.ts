import type { Agent } from './agents.ts'

export interface GoalView {
  readonly id: string
  readonly revision: number
  readonly objective: string
  readonly phase: string
  readonly activation: string
  readonly roundsStarted: number
  readonly maxGoalRounds: number
  readonly blockedReason?: { readonly code: string; readonly message: string }
}

export interface Goals {
  get(agent: Agent): GoalView | undefined
  pause(agent: Agent, ref: { readonly id: string; readonly revision: number }): GoalView
}

/** Times in milliseconds since the Unix epoch. */
export interface JobSnapshot {
  readonly id: string
  readonly kind: string
  readonly label: string
  readonly status: string
  readonly detail?: string
  readonly startedAt: number
  readonly finishedAt?: number
}

/** `read` is left out on purpose: it would consume the cursor of the model. */
export interface Jobs {
  list(owner?: Agent): readonly JobSnapshot[]
  kill(id: string, owner?: Agent, reason?: string): 'requested' | 'already-finished'
  onJobsChanged?(listener: (owner: Agent | undefined) => void): () => void
}

export type SubagentEntry =
  | {
      readonly kind: 'child'
      readonly id: string
      readonly activity: 'running' | 'inactive'
      readonly mode: string
      readonly label?: string
      readonly parentId?: string
      readonly depth?: number
    }
  | { readonly kind: 'diagnostic'; readonly id: string; readonly reason: string }

export interface Subagents {
  listDescendants(rootSessionId: string, signal?: AbortSignal): Promise<readonly SubagentEntry[]>
  interrupt(childSessionId: string, authority: { readonly kind: 'user'; readonly parentSessionId: string }): void
}
