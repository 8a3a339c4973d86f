import type {
  Agent,
  AgentContext,
  AgentRegistry,
  HostServiceContext,
  ModelSelection,
  SessionEvent,
} from '@dsh-mcp/host'
import { Failure, serviceUnavailable } from './failure.ts'
import type { Models } from './models.ts'
import { presetOf } from './presets.ts'
import type { Composition, Presets } from './presets.ts'
import type { SessionLogs } from './session-logs.ts'

export interface CreateRequest {
  readonly sessionId: string
  readonly cwd: string | undefined
  readonly composition: Composition
  readonly model: ModelSelection
  /** Whether the model was asked for, rather than being the user's default. */
  readonly pinModel: boolean
  readonly fork?: { readonly parentSession: string; readonly seed: readonly SessionEvent[] }
}

/** Live agents: find, revive, create. */
export interface Agents {
  get(sessionId: string): Agent | undefined
  /** Newest first; subagents left out. */
  liveRoots(): readonly Agent[]
  /**
   * The live agent of a session, resuming it from the store first where needed. Calls at the same time share one resume.
   *
   * @throws Failure `session_not_found`, `session_busy` for a subagent, `resume_failed`, `service_unavailable`.
   */
  revive(sessionId: string): Promise<{ readonly agent: Agent; readonly resumed: boolean }>
  /** @throws Failure `session_busy` for a subagent. */
  requireRoot(agent: Agent): void
  create(request: CreateRequest): Promise<Agent>
  /** Puts what the session has logged so far on disk, so that what a client was told survives a crash of the harness. */
  persist(agent: Agent): Promise<void>
  /** Sessions that a client of this server created or works with, in this process. */
  isDriven(sessionId: string): boolean
}

function isSubagent(agents: AgentRegistry, agent: Agent): boolean {
  const { origin, parentSession } = agent.session.header
  if (origin === 'subagent') return true
  const parent = parentSession === undefined ? undefined : agents.get(parentSession)
  return parent !== undefined && agents.isOwnedBy?.(agent.id, parent) === true
}

function routeOf({ provider, model }: ModelSelection) {
  return { provider, model }
}

function ownedBySubagents(sessionId: string, parent: string | undefined): Failure {
  return new Failure('session_busy', `session "${sessionId}" is a subagent and takes its work from its parent`, {
    hint: parent === undefined ? 'Work with its parent session.' : `Work with its parent session "${parent}".`,
    details: { sessionId, ...(parent === undefined ? {} : { parentSessionId: parent }) },
  })
}

/** The host's registry through its root context: an agent lives as long as the context that created it. */
function registry(ctx: HostServiceContext): AgentRegistry {
  const agents = ctx.root.get('agents')
  if (agents === undefined) throw serviceUnavailable('agents')
  return agents
}

export function createAgents(ctx: HostServiceContext, logs: SessionLogs, presets: Presets, models: Models): Agents {
  const resumes = new Map<string, Promise<Agent>>()
  const driven = new Set<string>()

  function requireRoot(agent: Agent): void {
    if (isSubagent(registry(ctx), agent)) throw ownedBySubagents(agent.id, agent.session.header.parentSession)
  }

  function checked(agent: Agent): Agent {
    requireRoot(agent)
    driven.add(agent.id)
    return agent
  }

  /** The agent's options have no place for an effort. */
  function keepEffort(agentContext: AgentContext, selection: ModelSelection): void {
    if (selection.reasoningEffort !== undefined) models.override({ ctx: agentContext }, selection, routeOf(selection))
  }

  async function resume(sessionId: string): Promise<Agent> {
    if (ctx.get('sessionPersistence') === undefined) {
      // Without a store there is nothing to resume from; an unknown id is the likelier mistake, but cannot be told apart.
      throw serviceUnavailable('sessionPersistence')
    }
    const view = await logs.read(sessionId)
    if (view.header.origin === 'subagent') throw ownedBySubagents(sessionId, view.header.parentSession)
    const { setup } = await presets.compose(presetOf(view))
    const selection = view.fold.model ?? models.defaultSelection()
    try {
      const { agent } = await registry(ctx).resume({
        resumeSessionId: sessionId,
        ...(selection === undefined ? {} : { agentOptions: routeOf(selection) }),
        setup: async (agentContext) => {
          if (selection !== undefined) keepEffort(agentContext, selection)
          await setup?.(agentContext)
        },
      })
      return agent
    } catch (error) {
      // Somebody else, such as the web page, was faster.
      const live = registry(ctx).get(sessionId)
      if (live !== undefined) return live
      throw new Failure('resume_failed', `session "${sessionId}" cannot be resumed: ${String(error)}`, {
        hint: 'It may be open in another harness process, or its log may be damaged. Reading it still works.',
        details: { sessionId },
        cause: error,
      })
    }
  }

  return {
    get: (sessionId) => ctx.get('agents')?.get(sessionId),
    liveRoots() {
      const agents = ctx.get('agents')
      if (agents === undefined) return []
      return [...agents.list()].reverse().filter((agent) => agent.session.header.origin !== 'subagent')
    },
    async revive(sessionId) {
      const live = registry(ctx).get(sessionId)
      if (live !== undefined) return { agent: checked(live), resumed: false }
      let pending = resumes.get(sessionId)
      if (pending === undefined) {
        pending = resume(sessionId).finally(() => resumes.delete(sessionId))
        resumes.set(sessionId, pending)
      }
      return { agent: checked(await pending), resumed: true }
    },
    requireRoot,
    async create({ sessionId, cwd, composition, model, pinModel, fork }) {
      await models.settled()
      const { agent } = await registry(ctx).create({
        sessionId,
        meta: {
          ...(cwd === undefined ? {} : { cwd }),
          ...(fork === undefined ? {} : { parentSession: fork.parentSession, seedLength: fork.seed.length }),
          ...(composition.agentPreset === undefined ? {} : { agentPreset: composition.agentPreset }),
        },
        ...(fork === undefined ? {} : { seed: fork.seed }),
        agentOptions: routeOf(model),
        setup: async (agentContext) => {
          if (pinModel) models.override({ ctx: agentContext }, model)
          else keepEffort(agentContext, model)
          await composition.setup?.(agentContext)
        },
      })
      driven.add(sessionId)
      return agent
    },
    async persist(agent) {
      try {
        await ctx.get('sessions')?.flush(agent.session)
      } catch {
        // The agent works on all the same, and the harness tells its user of a store that fails.
      }
    },
    isDriven: (sessionId) => driven.has(sessionId),
  }
}
