import type { HostServiceContext, Workspace } from '@dsh-mcp/host'
import { Failure, serviceUnavailable } from './failure.ts'

/** Registered project directories, where the host keeps them. */
export interface Workspaces {
  readonly mounted: boolean
  list(): readonly Workspace[]
  /** Session id to workspace id. */
  bySession(): ReadonlyMap<string, string>
  archived(): ReadonlySet<string>
  /** @throws Failure `workspace_not_found`, `service_unavailable`. */
  require(workspaceId: string): Workspace
  /** Puts a session into the given workspace, else into the one registered for its directory, if any. */
  attach(sessionId: string, cwd: string, workspaceId: string | undefined): Promise<string | null>
  /** @throws Failure `service_unavailable`. */
  archive(sessionId: string): Promise<void>
}

export function createWorkspaces(ctx: HostServiceContext): Workspaces {
  const registry = () => ctx.get('workspaceRegistry')

  function required() {
    const found = registry()
    if (found === undefined) throw serviceUnavailable('workspaceRegistry')
    return found
  }

  function find(workspaceId: string): Workspace {
    const workspace = required().get(workspaceId)
    if (workspace !== undefined) return workspace
    throw new Failure('workspace_not_found', `no workspace "${workspaceId}"`, {
      hint: 'List them with dsh_list_workspaces, or give cwd instead.',
      details: { workspaceId },
    })
  }

  return {
    get mounted() {
      return registry() !== undefined
    },
    list: () => registry()?.list() ?? [],
    bySession() {
      const ids = new Map<string, string>()
      for (const workspace of registry()?.list() ?? []) {
        for (const sessionId of workspace.sessionIds) ids.set(sessionId, workspace.id)
      }
      return ids
    },
    archived: () => new Set(registry()?.archivedSessionIds),
    require: find,
    async attach(sessionId, cwd, workspaceId) {
      const workspace = workspaceId === undefined ? await registry()?.resolveByPath(cwd) : find(workspaceId)
      if (workspace === undefined) return null
      try {
        await workspace.attachSession(sessionId)
        return workspace.id
      } catch {
        // The session is there all the same; the page lists it outside of any workspace.
        return null
      }
    },
    async archive(sessionId) {
      await required().archiveSession(sessionId)
    },
  }
}
