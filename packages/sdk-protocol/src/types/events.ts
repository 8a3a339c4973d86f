import type { ContentBlock } from './content.ts'
import type { AssistantMessage, ToolResultMessage, UserMessage } from './messages.ts'
import type { LlmFailure, StreamChunk, TokenUsage } from './model.ts'
import type { OpenWord } from './open.ts'
import type { TurnEndReason } from './turns.ts'

/** What every event of a session's log carries. */
export interface SessionEventEnvelope {
  /** Place in the log of its session, from 0 upwards. */
  seq: number
  /** Milliseconds since 1970. */
  time: number
  /** A reader that rebuilds a session may skip the event when it does not know its type. */
  ignorable?: true
  /** Events that tell what is seen: the events that they were made from. */
  sourceEventSeqs?: number[]
  /** Events that tell what is seen: how they change it. */
  surfaceOp?: 'append' | { op: 'replace'; start: number; end: number }
}

/** Data of the known events, by type. `object` stands for data that only its own plugin describes. */
export interface SessionEventMap {
  'turn/start': { turn: number }
  'turn/end': { turn: number; reason: TurnEndReason }
  'step/start': { turn: number; step: number }
  'step/end': { turn: number; step: number }

  'user/message': UserMessage
  'assistant/chunk': { turn: number; step: number; chunk: StreamChunk }
  'assistant/message': {
    turn: number
    step: number
    message: AssistantMessage
    usage?: TokenUsage
    interrupted?: true
  }

  'tool/call': { turn: number; step: number; callId: string; name: string; arguments: string }
  'tool/result': {
    turn: number
    step: number
    message: ToolResultMessage
    error?: { name: string; code: string }
    meta?: unknown
  }
  'tool/code-dispatch-start': object
  'tool/code-dispatch': object
  'todo/write': { todos: { content: string; status: OpenWord<'pending' | 'in_progress' | 'completed'> }[] }

  /** Messages entered or left the queue of an agent. One of `inserted` carries the id that a prompt was answered with. */
  'agent/inbox/spliced': {
    target: OpenWord<'next-turn' | 'next-step'>
    start: number
    removedCount?: number
    inserted: UserMessage[]
    outcome?: 'canceled'
  }

  'request/header': {
    header: { config: { provider: string; model: string }; system?: string; tools?: object[] }
    reason: OpenWord<'initial' | 'resume' | 'change'>
  }
  'request/context': { provider: string; model: string; contextWindow?: number }
  'session/end-seed': object
  'llm/retry': {
    retryId: string
    turn: number
    step: number
    provider: string
    mode: OpenWord<'normal' | 'always'>
    policyKey: string
    retry: number
    maxRetries?: number
    delayMs: number
    failure: LlmFailure
  }
  'llm/retry-started': { retryId: string; turn: number; step: number; retry: number }

  'session/title': { title: string; messageSeqs: number[]; source: unknown }
  'session/title-llm-request': object
  'agent-preset/selected': object
  'feedback/record': object

  'approval/asked': { id: string; toolName: string; callId?: string; reason?: string }
  'approval/decided': { id: string; outcome: OpenWord<'allowed-once' | 'rejected' | 'cancelled' | 'unavailable'> }
  'approval/policy': { policy: OpenWord<'ask' | 'never'>; source?: OpenWord<'delegation'> }
  'permission/preset': object
  'sandbox/mode': object
  'plan/mode': object

  'command/run': { commandId: string; name: string; args?: string; source: { kind: string } }
  'command/done': { commandId: string; kind: OpenWord<'success' | 'error'>; text?: string; sourceEventSeq?: number }

  'compaction/start': { compactionId: string; sourceCommandId?: string; turn: number | null }
  'compaction/summary': {
    compactionId: string
    sourceCommandId?: string
    summary: ContentBlock[]
    shadowedRange: { start: number; end: number }
    shadowedSeqs: number[]
    shadowedTokenCount: number
    provider: string
    model: string
    maxTokens?: number
    usage?: TokenUsage
    rawOutput?: ContentBlock[]
  }
  'compaction/end': { compactionId: string; sourceCommandId?: string; turn: number | null; error?: string }
  'compaction/prune': {
    shadowedRange: { start: number; end: number }
    shadowedSeqs: number[]
    shadowedTokenCount: number
  }

  'subagent/descriptor': {
    version: number
    mode: OpenWord<'one-shot' | 'continuable'>
    provider: string
    label?: string
    agentProvider?: string
    agentModel?: string
    persona?: string
    toolFilter?: unknown
  }

  'goal/change': object
  'hook/invoked': object
  'hook/result': object
  'schedule/change': object
  'tool-workflow/run-start': object
  'tool-workflow/agent-start': object
  'tool-workflow/agent-end': object
  'tool-workflow/run-end': object
  'web/deepseek-search-llm-request': object
}

/** A known event of the given type, or any known event. */
export type KnownSessionEvent<Type extends keyof SessionEventMap = keyof SessionEventMap> = {
  [Key in Type]: SessionEventEnvelope & { type: Key; data: SessionEventMap[Key] }
}[Type]

/**
 * An event of a session's log. Plugins of the runtime may write any type. Narrow it with `isSessionEvent(event, 'turn/end')`.
 */
export type SessionEvent = KnownSessionEvent | (SessionEventEnvelope & { type: string; data: unknown })
