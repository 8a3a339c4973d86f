import type { ContentBlock } from './content.ts'
import type { OpenWord, Other } from './open.ts'

/** Why a call of a model failed. */
export interface LlmFailure {
  message: string
  code: string
  /** HTTP status of the provider. */
  status?: number
  /** How long the provider asks to wait, in milliseconds. */
  providerRetryAfterMs?: number
  requestId?: string
}

export interface TokenUsage {
  inputTokens: number
  outputTokens: number
  cacheReadTokens?: number
  cacheWriteTokens?: number
  reasoningTokens?: number
}

/** Why a model stopped, by `kind`. */
export interface FinishReasonMap {
  stop: { kind: 'stop' }
  'tool-calls': { kind: 'tool-calls' }
  'max-tokens': { kind: 'max-tokens' }
  aborted: { kind: 'aborted'; failure: LlmFailure }
  error: { kind: 'error'; failure: LlmFailure }
}

export type FinishReason = FinishReasonMap[keyof FinishReasonMap] | Other<'kind'>

/** A piece of a model's stream, by `type`. */
export interface StreamChunkMap {
  'block-start': {
    type: 'block-start'
    index: number
    blockType: OpenWord<'text' | 'reasoning' | 'image' | 'tool-call' | 'tool-result'>
  }
  'text-delta': { type: 'text-delta'; index: number; text: string }
  'reasoning-delta': { type: 'reasoning-delta'; index: number; text: string }
  'tool-call-delta': { type: 'tool-call-delta'; index: number; id: string; name?: string; argumentsDelta: string }
  'block-end': { type: 'block-end'; index: number; block: ContentBlock }
  usage: { type: 'usage'; usage: TokenUsage }
  finish: { type: 'finish'; reason: FinishReason; replayState?: unknown }
}

export type StreamChunk = StreamChunkMap[keyof StreamChunkMap] | Other<'type'>
