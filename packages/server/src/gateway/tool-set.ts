import type { ContentBlock, ResourceContent } from './content.ts'
import type { Era } from './era.ts'
import type { Exchange } from './exchange.ts'
import type { InputRequired } from './input-required.ts'
import type { JsonObject, JsonValue } from './json.ts'

/** MCP, Tools, Tool annotations. Hints; a client must not trust them. */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** One entry of `tools/list`. Members that are absent are left out of the answer. */
export interface ToolDefinition {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  readonly annotations?: ToolAnnotations
  readonly _meta?: JsonObject
}

/** Who sent a message. Display and attribution only; admission happened before. */
export interface Caller {
  /** The `x-dsh-mcp-client` header, cleaned; whoever holds the token may name itself anything. */
  readonly client?: string
  /** How the caller was admitted: with the endpoint token, or by the host's own connection fence. */
  readonly admittedBy: 'token' | 'connection'
}

/** What one call knows of its surroundings. */
export interface CallContext {
  readonly caller: Caller
  /**
   * Aborted when nobody waits for the answer any more (client gone, cancelled, plugin unloading). It ends the wait for the
   * answer, never the agent's work.
   */
  readonly signal: AbortSignal
  readonly era: Era
  /** Messages besides the answer, and the client's answers to questions of an earlier round. */
  readonly exchange: Exchange
}

/** MCP, Tools, Tool result. A tool that ran and failed sets `isError` and says in `content` what to do next. */
export interface ToolResult {
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: JsonValue
  readonly isError?: boolean
  readonly _meta?: JsonObject
}

/** The tools an endpoint offers. */
export interface ToolSet {
  /** Static for the lifetime of the set, in a stable order. */
  list(): readonly ToolDefinition[]
  /**
   * Runs a tool. `args` came out of `JSON.parse` and is an object; checking it against the schema is the tool set's part.
   *
   * @throws ProtocolError `unknown-tool` when the set has no tool of that name.
   */
  call(name: string, args: JsonObject, context: CallContext): Promise<ToolResult | InputRequired>
}

/** One entry of `resources/list`. */
export interface ResourceDefinition {
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
}

/** One entry of `resources/templates/list`; `uriTemplate` is RFC 6570. */
export interface ResourceTemplate {
  readonly uriTemplate: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
}

/** The result of `resources/read`. */
export interface ResourceContents {
  readonly contents: readonly ResourceContent[]
}

/** The resources an endpoint offers. */
export interface ResourceSet {
  list(): readonly ResourceDefinition[]
  templates(): readonly ResourceTemplate[]
  /**
   * @throws ProtocolError `resource-not-found` for a URI the set does not serve (also a well-formed id of nothing),
   * `invalid-params` for a malformed id, `service-unavailable` when a host service it needs is not mounted.
   */
  read(uri: string, context: CallContext): Promise<ResourceContents | InputRequired>
}
