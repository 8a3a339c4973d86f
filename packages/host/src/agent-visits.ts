/** The symbol under which the framework keeps the object behind a traced service (observed on DSH 0.1.0-rc.8). */
const originalSymbol = Symbol.for('cordis.original')

/** What a visit needs of an agent; the host's agents have more. */
export interface VisitedAgent {
  readonly id: string
  readonly session: { readonly header: { readonly cwd?: string } }
}

type Setup = (...args: readonly unknown[]) => unknown
interface SetupOptions {
  readonly setup?: Setup
}
type Entry = (this: unknown, options: SetupOptions) => Promise<unknown>

/** The registry of agents, as far as visits use it. */
export interface VisitedRegistry {
  list(): readonly unknown[]
  create: (...args: never) => Promise<unknown>
  resume: (...args: never) => Promise<unknown>
}

/** The part of a plugin's context that visits use. */
export interface VisitedContext {
  readonly agents: VisitedRegistry
  on(event: string, listener: (payload: { readonly agent: unknown }) => unknown): unknown
}

/** What to do with every agent of the host. A failure of either never reaches the host. */
export interface AgentVisitor<Agent extends VisitedAgent> {
  /**
   * Called once for each agent: in its setup, before the first request, where the returned promise delays the session; for
   * agents that came into being another way, and for those already alive, as soon as they are seen.
   */
  readonly arrive: (agent: Agent) => void | Promise<void>
  /** Called once for each agent that arrived, when it is disposed. */
  readonly leave?: (agent: Agent) => void
  readonly report: (error: unknown) => void
}

/** The agent of a setup call: the second argument from 0.1.5 on, an accessor of the context before. */
function agentOf(args: readonly unknown[]): unknown {
  if (args[1] !== undefined) return args[1]
  try {
    return (args[0] as { readonly agent?: unknown } | undefined)?.agent
  } catch {
    // From 0.1.5 on the accessor throws; `agent/created` will bring the agent.
    return undefined
  }
}

function isAgent(value: unknown): value is VisitedAgent {
  if (typeof value !== 'object' || value === null) return false
  const { id, session } = value as Partial<VisitedAgent>
  return typeof id === 'string' && typeof session?.header === 'object'
}

function originalOf(registry: VisitedRegistry): VisitedRegistry {
  const behind = (registry as unknown as Record<symbol, unknown>)[originalSymbol]
  return typeof behind === 'object' && behind !== null ? (behind as VisitedRegistry) : registry
}

/**
 * Visits every agent of the host: those alive now, those created or resumed from now on, and those that reach the host
 * without its registry. The caller's own setup runs first and its failures pass through; its result is handed on. Returns
 * what ends the visits; agents that arrived are not told.
 *
 * Shapes covered (observed on DSH 0.1.0-rc.8; later ones imitated): the agent as an accessor of the setup context, as the
 * second setup argument, or only in `agent/created`.
 */
export function visitAgents<Agent extends VisitedAgent>(ctx: VisitedContext, visitor: AgentVisitor<Agent>): () => void {
  const arrived = new WeakSet<VisitedAgent>()
  let active = true

  async function arrive(agent: unknown): Promise<void> {
    if (!active || !isAgent(agent) || arrived.has(agent)) return
    arrived.add(agent)
    try {
      await visitor.arrive(agent as Agent)
    } catch (error) {
      visitor.report(error)
    }
  }

  function withVisit(options: SetupOptions): SetupOptions {
    const { setup } = options
    const visited: Setup = async (...args) => {
      const commit = await setup?.(...args)
      await arrive(agentOf(args))
      return commit
    }
    return { ...options, setup: visited }
  }

  function decorate(registry: VisitedRegistry, entry: 'create' | 'resume'): () => void {
    const before = Object.getOwnPropertyDescriptor(registry, entry)
    const inner = registry[entry] as unknown as Entry
    const decorated: Entry = function decorated(options) {
      return inner.call(this, active ? withVisit(options) : options)
    }
    Object.defineProperty(registry, entry, { configurable: true, writable: true, enumerable: true, value: decorated })
    return () => {
      // Somebody decorated after us: their chain still leads through ours, which now only passes on.
      if ((registry[entry] as unknown) !== decorated) return
      if (before === undefined) Reflect.deleteProperty(registry, entry)
      else Object.defineProperty(registry, entry, before)
    }
  }

  const undo: (() => void)[] = []
  try {
    const registry = originalOf(ctx.agents)
    undo.push(decorate(registry, 'create'), decorate(registry, 'resume'))
  } catch (error) {
    visitor.report(error)
  }
  // Not awaited: from 0.1.6 on a listener's promise would hold up, and its failure undo, the creation.
  ctx.on('agent/created', ({ agent }) => void arrive(agent))
  ctx.on('agent/disposed', ({ agent }) => {
    if (!active || !isAgent(agent) || !arrived.delete(agent)) return
    try {
      visitor.leave?.(agent as Agent)
    } catch (error) {
      visitor.report(error)
    }
  })
  for (const agent of ctx.agents.list()) void arrive(agent)

  return () => {
    active = false
    for (const step of undo) step()
  }
}
