import type { LlmFailure } from './model.ts'
import type { OpenWord, Other } from './open.ts'

/** Who or what ended a turn early, by `kind`. */
export interface TurnAbortReasonMap {
  user: { kind: 'user' }
  parent: { kind: 'parent' }
  hook: { kind: 'hook'; reason: string }
  disposed: { kind: 'disposed' }
  legacy: { kind: 'legacy' }
}

export type TurnAbortReason = TurnAbortReasonMap[keyof TurnAbortReasonMap] | Other<'kind'>

/** How a turn ended, by `kind`. A turn that failed ends like any other: look here. */
export interface TurnEndReasonMap {
  completed: { kind: 'completed' }
  aborted: { kind: 'aborted'; reason: TurnAbortReason }
  blocked: { kind: 'blocked' }
  error: { kind: 'error'; error: LlmFailure }
  'max-tokens': { kind: 'max-tokens' }
  interrupted: { kind: 'interrupted' }
}

export type TurnEndReason = TurnEndReasonMap[keyof TurnEndReasonMap] | Other<'kind'>

/** How a subagent's run ended. */
export type SubagentStopReason = OpenWord<'completed' | 'aborted' | 'error' | 'max-tokens' | 'refusal'>
