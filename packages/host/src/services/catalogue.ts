import type { Agent, AgentContext } from './agents.ts'
import type { ModelSelection, SessionEvent, ToolDeclaration } from './session-events.ts'
import type { Session } from './sessions.ts'

export interface ModelInfo {
  readonly provider: string
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly inputModalities?: readonly string[]
  readonly context?: { readonly contextWindow: number }
  readonly reasoning?: {
    readonly efforts: readonly { readonly id: string; readonly name: string }[]
    readonly defaultEffort?: string
  }
}

export interface Llm {
  listProviders(): readonly { readonly id: string; readonly name: string }[]
  listModels(provider: string): Promise<readonly ModelInfo[]>
  /** Throws for a provider without adapter (`NO_ADAPTER`). */
  resolveModelInfo(provider: string, model: string, signal?: AbortSignal): Promise<ModelInfo>
  /** Also checks the reasoning effort. */
  resolveCallConfig?(selection: ModelSelection, signal?: AbortSignal): Promise<ModelSelection>
}

export interface AgentDefaultModel {
  currentSelection(): ModelSelection
  saveSelection(selection: ModelSelection): Promise<void>
}

/** The user's settings, by section. Only to put back what another service has written. */
export interface Settings {
  describe(): readonly { readonly ns: string; readonly user?: Readonly<Record<string, unknown>> }[]
  replace(ns: string, section: object): Promise<void>
}

export interface AgentPreset {
  readonly id: string
  readonly trust: string
  readonly name?: string
  readonly description?: string
  readonly broken?: string
}

export interface AgentPresets {
  readonly defaultId: string
  list(): Promise<readonly AgentPreset[]>
  /** Rejects for an unknown id. */
  resolve(id?: string): Promise<AgentPreset>
  mount(agentContext: AgentContext, id?: string): Promise<unknown>
  /** A service that lives inside the preset of one agent. */
  serviceFor?(agent: Agent, name: string): unknown
}

export interface PermissionPresets {
  readonly names: readonly string[]
  readonly defaultPreset: string
  current(events: readonly SessionEvent[]): string
  /** Throws for an unknown name. */
  resolve(name: string): { readonly sandbox: string; readonly approval: string }
  optionOf(name: string): { readonly name: string; readonly description?: string }
  set(session: Session, name: string): void
}

export interface Tools {
  schemas(agent?: Agent): readonly ToolDeclaration[]
}

export interface Commands {
  list(agent: Agent): readonly {
    readonly name: string
    readonly description: string
    readonly input?: { readonly hint: string }
  }[]
  /** Resolves to undefined for a line that is no known command. */
  execute(
    agent: Agent,
    line: string,
    images: readonly unknown[],
    signal: AbortSignal,
  ): Promise<
    | { readonly commandId: string; readonly result: { readonly kind: 'success' | 'error'; readonly text?: string } }
    | undefined
  >
}

export interface Skills {
  list(options?: {
    readonly cwd?: string
    readonly scope?: unknown
    readonly signal?: AbortSignal
  }): Promise<readonly { readonly name: string; readonly description: string }[]>
}

export interface Attachments {
  saveImages(
    images: readonly { readonly data: Uint8Array; readonly mediaType: string; readonly name?: string }[],
  ): Promise<readonly unknown[]>
}
