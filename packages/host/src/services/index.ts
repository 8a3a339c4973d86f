import type { AgentRegistry, Agent } from './agents.ts'
import type { Goals, Jobs, Subagents } from './background.ts'
import type {
  AgentDefaultModel,
  AgentPresets,
  Attachments,
  Commands,
  Llm,
  PermissionPresets,
  Settings,
  Skills,
  Tools,
} from './catalogue.ts'
import type {
  ApiProxy,
  ApprovalOutcome,
  ApprovalRequest,
  QuestionAnswer,
  QuestionRequest,
  UserQuestions,
} from './interactions.ts'
import type { SessionEvent } from './session-events.ts'
import type {
  Session,
  SessionPersistence,
  SessionProjectionCache,
  SessionProjections,
  SessionQuery,
  SessionStore,
  SessionTitle,
  TokenMeter,
} from './sessions.ts'
import type { WorkspaceRegistry } from './workspaces.ts'

export type * from './agents.ts'
export type * from './background.ts'
export type * from './catalogue.ts'
export type * from './interactions.ts'
export type * from './session-events.ts'
export type * from './sessions.ts'
export type * from './workspaces.ts'

/** The plugin tree. */
export interface Loader {
  /** Resolves when every row is up or has failed. */
  await?(): Promise<unknown>
  entries?(): Iterable<{ readonly options?: { readonly name?: string }; readonly disabled?: boolean }>
}

/** The services of a host by their context key. Any of them may be missing: look them up at each use. */
export interface HostServices {
  readonly agentDefaultModel: AgentDefaultModel
  readonly agentPresets: AgentPresets
  readonly agents: AgentRegistry
  readonly apiProxy: ApiProxy
  readonly approval: object
  readonly attachments: Attachments
  readonly commands: Commands
  readonly goals: Goals
  readonly jobs: Jobs
  readonly llm: Llm
  readonly loader: Loader
  readonly permissionPresets: PermissionPresets
  readonly planMode: object
  readonly sessionPersistence: SessionPersistence
  readonly sessionProjectionCache: SessionProjectionCache
  readonly sessionProjections: SessionProjections
  readonly sessionQuery: SessionQuery
  readonly sessionTitle: SessionTitle
  readonly sessions: SessionStore
  readonly settings: Settings
  readonly skills: Skills
  readonly subagents: Subagents
  readonly tokenMeter: TokenMeter
  readonly tools: Tools
  readonly userQuestions: UserQuestions
  readonly webServer: { readonly port: number }
  readonly workspaceRegistry: WorkspaceRegistry
}

/** Events of the root context that a delegation server listens to. */
export interface HostEvents {
  'agent/created': (payload: { readonly agent: Agent }) => void
  'agent/disposed': (payload: { readonly agent: Agent }) => void
  'agent/status': (payload: { readonly agent: Agent; readonly status: 'idle' | 'running' }) => void
  'session/disposed': (session: Session) => void
  'session/event': (session: Session, event: SessionEvent) => void
  'approval/request': (request: ApprovalRequest, next: () => Promise<ApprovalOutcome>) => Promise<ApprovalOutcome>
  'user-questions/request': (request: QuestionRequest, next: () => Promise<QuestionAnswer>) => Promise<QuestionAnswer>
}

/** What we use of a plugin's context. `get` answers undefined for a service that is not mounted. */
export interface HostServiceContext {
  /** Undefined for a service that is not mounted. */
  get<K extends keyof HostServices>(name: K): HostServices[K] | undefined
  on<K extends keyof HostEvents>(
    event: K,
    listener: HostEvents[K],
    options?: { readonly prepend?: boolean },
  ): () => void
  effect(start: () => () => void, label?: string): unknown
  /** Runs `mount` while all services are there, with a context of its own that unwinds when one leaves. */
  inject(services: readonly (keyof HostServices)[], mount: (context: HostServiceContext) => void): unknown
  readonly root: HostServiceContext
}
