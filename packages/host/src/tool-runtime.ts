/**
 * The part of the host's tool registry that plugins of every supported host can rely on: `ctx.tools` is the layer of all
 * agents, `agent.ctx.tools` the layer of one (observed on DSH 0.1.0-rc.8).
 */

/** A stored image of the host. Opaque: bytes stay with the attachment service. */
export interface ImageAttachment {
  readonly attachmentId: string
  readonly mediaType: string
}

export type ToolContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly attachment: ImageAttachment }

/** The agent on whose behalf a tool runs, as far as a tool may look at it. */
export interface ToolAgent {
  readonly id?: string
  readonly session: {
    requestHeader?(): { readonly config?: { readonly provider?: string; readonly model?: string } } | undefined
  }
  readonly options: { readonly provider?: string; readonly model?: string }
}

/** One call while it runs. `token` identifies it to nested calls, which carry it as `parent`. */
export interface ToolExecution {
  readonly token: symbol
  readonly callId: string
  readonly rootCallId: string
  readonly name: string
  readonly arguments: unknown
  readonly signal: AbortSignal
  readonly agent?: ToolAgent
  readonly parent?: symbol
  /** Something for the model to know after this call; from nested outcomes it is passed on. */
  deferContext?(context: unknown): void
}

export type ToolOutcome = { readonly additionalContexts?: readonly unknown[] } & (
  | { readonly isError: false; readonly value: unknown; readonly content: readonly ToolContentBlock[] }
  | {
      readonly isError: true
      readonly error: { readonly message: string; readonly info?: { readonly name: string; readonly code: string } }
      readonly content: readonly ToolContentBlock[]
    }
)

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema; the host passes it to the model unchecked. */
  readonly parameters: object
  readonly output: {
    /** In the host's subset; every successful value is checked against it. */
    readonly schema: object
    /** Pure and synchronous. */
    render(args: unknown, value: unknown): ToolContentBlock[]
  }
  /** `args` is a frozen copy, unchecked. Returns plain JSON; throws for a failed call. */
  execute(args: unknown, execution: ToolExecution): Promise<unknown>
  /** Last word on the content of one outcome; `undefined` keeps it. Must not throw. */
  finalizeContent?(execution: ToolExecution, outcome: ToolOutcome): ToolContentBlock[] | undefined
  /** Hosts from 0.1.7 on ask this earlier, before policies look at the content. */
  projectContent?(execution: ToolExecution, outcome: ToolOutcome): ToolContentBlock[] | undefined
  /** Only `true` lets calls overlap. */
  isConcurrencySafe?(args: unknown): boolean
  /** Hosts from 0.1.7 on leave the schema out of the request; older ones ignore it. */
  readonly deferLoading?: true
}

export interface ToolSchema {
  readonly name: string
  readonly description: string
  readonly parameters: unknown
  readonly deferLoading?: boolean
}

export interface ToolCall {
  readonly callId: string
  readonly rootCallId?: string
  readonly name: string
  readonly arguments: unknown
  readonly agent?: ToolAgent
  readonly parent?: symbol
  readonly signal: AbortSignal
}

export interface ToolRegistry {
  /** Throws when the layer has a tool of this name, or the definition is malformed. Returns what removes it. */
  register(definition: ToolDefinition): () => void
  /** The tool one agent sees under a name: the very object that was registered. Without agent: the layer of all. */
  get(name: string, agent?: object): ToolDefinition | undefined
  schemas(agent?: object): readonly ToolSchema[]
  /** Runs the full pipeline: policies, guards, execution, content. Never rejects. */
  execute(call: ToolCall): Promise<ToolOutcome>
  /** A string denies the call for good; runs before the name is looked up. */
  guard(check: (execution: ToolExecution) => string | undefined): () => void
  /** On an agent's layer only: hides global tools by name; throws for a name the agent cannot see now. */
  restrict(filter: { readonly allow?: readonly string[]; readonly deny?: readonly string[] }): () => void
}

/** Context of a plugin, as far as it hears of the registry: any registration or restriction of any layer changed. */
export interface RegistryContext {
  on(event: 'tools/change', listener: () => void): unknown
}
