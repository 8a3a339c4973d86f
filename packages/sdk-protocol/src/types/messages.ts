import type { ContentBlock, ToolResultBlock } from './content.ts'
import type { Other } from './open.ts'

/** Where a message comes from, by `kind`. */
export interface MessageSourceMap {
  user: { kind: 'user' }
  plugin: { kind: 'plugin'; plugin: string; form?: string }
  model: ModelSource
  tool: { kind: 'tool'; callId: string }
}

export interface ModelSource {
  kind: 'model'
  provider: string
  model: string
  replayState?: unknown
}

export type MessageSource = MessageSourceMap[keyof MessageSourceMap] | Other<'kind'>

export interface Message {
  id: string
  role: 'system' | 'user' | 'assistant'
  content: ContentBlock[]
  source: MessageSource
}

export interface UserMessage extends Message {
  role: 'user'
}

export interface AssistantMessage extends Message {
  role: 'assistant'
}

export interface ToolResultMessage extends Message {
  role: 'user'
  content: [ToolResultBlock]
}
