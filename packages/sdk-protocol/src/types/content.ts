import type { Other } from './open.ts'

export interface TextBlock {
  type: 'text'
  text: string
}

export interface ReasoningBlock {
  type: 'reasoning'
  text: string
}

/** An image that the runtime stores; `attachment` is a lasting reference to it. */
export interface ImageBlock {
  type: 'image'
  attachment: ImageAttachment
}

export interface ImageAttachment {
  attachmentId: string
  mediaType: string
  bytes: number
  width: number
  height: number
  name?: string
}

export interface ToolCallBlock {
  type: 'tool-call'
  id: string
  name: string
  /** JSON, as text. */
  arguments: string
}

export interface ToolResultBlock {
  type: 'tool-result'
  toolCallId: string
  content: ContentBlock[]
  isError?: boolean
}

/** The known kinds of content, by `type`. */
export interface ContentBlockMap {
  text: TextBlock
  reasoning: ReasoningBlock
  image: ImageBlock
  'tool-call': ToolCallBlock
  'tool-result': ToolResultBlock
}

/** Content of a message. Narrow it with `isContentBlock(block, 'text')`. */
export type ContentBlock = ContentBlockMap[keyof ContentBlockMap] | Other<'type'>

/**
 * An image that a client sends: its bytes in canonical base64. The runtime stores it and puts a reference in its place. Told
 * apart from {@link ImageBlock} by `data`.
 */
export interface SdkEncodedImageBlock {
  type: 'image'
  data: string
  mimeType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'
}

/** What a prompt is made of. */
export type SdkPromptContentBlock = ContentBlock | SdkEncodedImageBlock
