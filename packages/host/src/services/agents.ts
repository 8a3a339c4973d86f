import type { ModelSelection, SessionEvent, UserMessage } from './session-events.ts'
import type { Session } from './sessions.ts'

/** The waterfall that decides provider, model and effort of one request of an agent. */
export type AgentRequestListener = (
  payload: { readonly agent: Agent },
  next: () => Promise<ModelSelection>,
) => Promise<ModelSelection>

export interface AgentContext {
  on(event: 'agent/request', listener: AgentRequestListener, options?: { readonly prepend?: boolean }): () => void
}

export interface Agent {
  readonly id: string
  readonly options: { readonly provider?: string; readonly model?: string }
  readonly session: Session
  readonly status: 'idle' | 'running'
  readonly inbox: {
    readonly nextTurn: readonly UserMessage[]
    readonly nextStep: readonly UserMessage[]
    remove?(messageId: string): boolean
  }
  readonly ctx: AgentContext
  followup(message: UserMessage): void
  steer(message: UserMessage): void
  cancel(cause: { readonly kind: 'user' }, options?: { readonly keepInbox?: boolean }): void
}

export interface AgentHandle {
  readonly agent: Agent
}

export type AgentSetup = (agentContext: AgentContext) => Promise<void>

export interface CreateAgentOptions {
  readonly sessionId: string
  readonly meta: {
    readonly cwd?: string
    readonly parentSession?: string
    readonly seedLength?: number
    readonly agentPreset?: string
  }
  readonly seed?: readonly SessionEvent[]
  readonly agentOptions?: { readonly provider?: string; readonly model?: string }
  readonly setup?: AgentSetup
}

export interface ResumeAgentOptions {
  readonly resumeSessionId: string
  readonly agentOptions?: { readonly provider?: string; readonly model?: string }
  readonly setup?: AgentSetup
}

/** An agent belongs to the context through which it was created and dies with it: create through the root context. */
export interface AgentRegistry {
  create(options: CreateAgentOptions): Promise<AgentHandle>
  resume(options: ResumeAgentOptions): Promise<AgentHandle>
  get(id: string): Agent | undefined
  list(): readonly Agent[]
  isOwnedBy?(id: string, owner: Agent): boolean
}
