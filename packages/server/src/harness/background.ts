import type { Agent, GoalView, HostServiceContext, JobSnapshot, SubagentEntry } from '@dsh-mcp/host'

/** Work that goes on, or wakes a session again, after its turn has ended. */
export interface Background {
  readonly goal: GoalView | undefined
  readonly jobs: readonly JobSnapshot[]
  /** Live subagents of any depth that are running. */
  readonly runningSubagents: readonly Agent[]
}

export interface BackgroundWork {
  of(agent: Agent): Background
  /** Whether a session with this background work will go on by itself. */
  goesOn(background: Background): boolean
  /** Live descendants that are subagents. */
  liveSubagents(rootId: string): readonly Agent[]
  listSubagents(rootId: string, signal?: AbortSignal): Promise<readonly SubagentEntry[] | undefined>
}

export function isActiveJob(job: JobSnapshot): boolean {
  return job.status === 'running' || job.status === 'stopping'
}

function isArmed(goal: GoalView | undefined): boolean {
  return goal?.phase === 'active' && goal.activation === 'armed'
}

/** A service that an agent preset may keep for itself, else the host's own. */
export function presetService<K extends 'goals' | 'planMode'>(ctx: HostServiceContext, agent: Agent, name: K) {
  const own = ctx.get('agentPresets')?.serviceFor?.(agent, name)
  return (own ?? ctx.get(name)) as ReturnType<typeof ctx.get<K>>
}

export function createBackgroundWork(ctx: HostServiceContext): BackgroundWork {
  function liveSubagents(rootId: string): readonly Agent[] {
    const agents = ctx.get('agents')?.list() ?? []
    const family = new Set([rootId])
    const found: Agent[] = []
    // Parents are created before their children, so one pass in creation order reaches every depth.
    for (const agent of agents) {
      const { parentSession, origin } = agent.session.header
      if (origin !== 'subagent' || parentSession === undefined || !family.has(parentSession)) continue
      family.add(agent.id)
      found.push(agent)
    }
    return found
  }

  return {
    of(agent) {
      return {
        goal: presetService(ctx, agent, 'goals')?.get(agent),
        jobs: ctx.get('jobs')?.list(agent) ?? [],
        runningSubagents: liveSubagents(agent.id).filter((child) => child.status === 'running'),
      }
    },
    goesOn({ goal, jobs, runningSubagents }) {
      return isArmed(goal) || jobs.some(isActiveJob) || runningSubagents.length > 0
    },
    liveSubagents,
    listSubagents: async (rootId, signal) => ctx.get('subagents')?.listDescendants(rootId, signal),
  }
}
