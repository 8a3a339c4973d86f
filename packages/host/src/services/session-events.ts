/** Minimal shapes of a session log, as observed on DSH 0.1.0-rc.8. */

export interface TextBlock {
  readonly type: 'text'
  readonly text: string
}

export interface ReasoningBlock {
  readonly type: 'reasoning'
  readonly text: string
}

export interface ImageBlock {
  readonly type: 'image'
  readonly attachment: unknown
}

/** `arguments` is the raw JSON string of the model. */
export interface ToolCallBlock {
  readonly type: 'tool-call'
  readonly id: string
  readonly name: string
  readonly arguments: string
}

export interface ToolResultBlock {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly content: readonly MessageBlock[]
  readonly isError?: boolean
}

export type MessageBlock = TextBlock | ReasoningBlock | ImageBlock | ToolCallBlock | ToolResultBlock

/** `kind` is `user` for what a person (or an MCP client on their behalf) wrote; further members are kept by the log. */
export interface MessageSource {
  readonly kind: string
  readonly [key: string]: unknown
}

export interface UserMessage {
  readonly id: string
  readonly role: 'user'
  readonly content: readonly MessageBlock[]
  readonly source: MessageSource
}

/** Up to 0.1.5 a user message holding one `tool-result` block; later `role: 'tool'` with the result at the top. */
export interface ToolResultMessage {
  readonly role: string
  readonly content: readonly MessageBlock[]
  readonly toolCallId?: string
  readonly isError?: boolean
  readonly source?: MessageSource & { readonly callId?: string }
}

export interface LlmFailure {
  readonly message: string
  readonly code: string
}

export type TurnEndReason =
  | { readonly kind: 'completed' | 'blocked' | 'max-tokens' | 'interrupted' }
  | { readonly kind: 'aborted'; readonly reason: { readonly kind: string; readonly reason?: string } }
  | { readonly kind: 'error'; readonly error: LlmFailure }

/** In tokens. `inputTokens` excludes nothing: cache reads and writes are part of it or stand beside it, by provider. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
}

export interface ModelSelection {
  readonly provider: string
  readonly model: string
  readonly reasoningEffort?: string
}

export interface ToolDeclaration {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

export interface RequestHeader {
  readonly config: ModelSelection
  readonly tools?: readonly ToolDeclaration[]
}

export interface TodoItem {
  readonly content: string
  readonly status: string
}

interface StepPosition {
  readonly turn: number
  readonly step: number
}

interface SessionEventData {
  'turn/start': { readonly turn: number }
  'turn/end': { readonly turn: number; readonly reason: TurnEndReason }
  'step/start': StepPosition
  'step/end': StepPosition
  'user/message': UserMessage
  'assistant/chunk': StepPosition & { readonly chunk: { readonly type: string; readonly text?: string } }
  'assistant/message': StepPosition & {
    readonly message: { readonly content: readonly MessageBlock[] }
    readonly usage?: TokenUsage
    readonly interrupted?: true
  }
  'tool/call': StepPosition & { readonly callId: string; readonly name: string; readonly arguments: string }
  'tool/result': StepPosition & { readonly message: ToolResultMessage; readonly meta?: unknown }
  'request/header': { readonly header: RequestHeader }
  'agent/inbox/spliced': {
    readonly target: 'next-turn' | 'next-step'
    readonly start: number
    readonly removedCount?: number
    readonly inserted: readonly UserMessage[]
    readonly outcome?: 'canceled'
  }
  'agent-preset/selected': { readonly agentPreset: string }
  'approval/asked': {
    readonly id: string
    readonly toolName: string
    readonly callId?: string
    readonly reason?: string
  }
  'approval/decided': { readonly id: string; readonly outcome: string }
  'command/run': { readonly commandId: string; readonly name: string; readonly args?: string }
  'command/done': { readonly commandId: string; readonly kind: 'success' | 'error'; readonly text?: string }
  'compaction/start': unknown
  'compaction/end': unknown
  'compaction/summary': unknown
  'permission/preset': { readonly preset: string }
  'plan/mode': { readonly active?: boolean }
  'sandbox/mode': { readonly mode: string }
  'session/end-seed': unknown
  'session/title': { readonly title: string }
  'todo/write': { readonly todos: readonly TodoItem[] }
}

export type SessionEventType = keyof SessionEventData

/** Where a message enters the model's view: appended, or in place of older messages (compaction). */
export type SurfaceOp = 'append' | { readonly op: 'replace'; readonly start: number; readonly end: number }

/** `seq` counts from 0 without gaps; `time` is in milliseconds since the Unix epoch. */
export interface SessionEventOf<T extends SessionEventType> {
  readonly type: T
  readonly seq: number
  readonly time: number
  readonly data: SessionEventData[T]
  readonly surfaceOp?: SurfaceOp
}

/** The events we read. A log holds further types: every switch over `type` needs a way out for them. */
export type SessionEvent = { [T in SessionEventType]: SessionEventOf<T> }[SessionEventType]
