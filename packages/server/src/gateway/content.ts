import type { JsonObject } from './json.ts'

interface BlockCommon {
  readonly annotations?: JsonObject
  readonly _meta?: JsonObject
}

export interface TextContent extends BlockCommon {
  readonly type: 'text'
  readonly text: string
}

/** `data` is base64. */
export interface ImageContent extends BlockCommon {
  readonly type: 'image'
  readonly data: string
  readonly mimeType: string
}

/** `data` is base64. */
export interface AudioContent extends BlockCommon {
  readonly type: 'audio'
  readonly data: string
  readonly mimeType: string
}

export interface ResourceLink extends BlockCommon {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
}

export interface EmbeddedResource extends BlockCommon {
  readonly type: 'resource'
  readonly resource: ResourceContent
}

/** MCP, Tools, Tool result: the blocks a result may hold. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource

/** One entry of a `resources/read` result: text, or base64 in `blob`. */
export type ResourceContent =
  | { readonly uri: string; readonly mimeType?: string; readonly text: string; readonly _meta?: JsonObject }
  | { readonly uri: string; readonly mimeType?: string; readonly blob: string; readonly _meta?: JsonObject }
