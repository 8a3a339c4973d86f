import type { ServerConnection } from '../connections/index.ts'
import type { AgentLayers } from '../tools/index.ts'

/** What an agent of the host must offer for its view to be shaped. */
export interface WorkspaceAgent {
  readonly id: string
  readonly session: { readonly header: { readonly cwd?: string } }
}

/** What one agent sees beside the global servers, changed by difference. */
export interface AgentView {
  /** `connections`: the workspace servers to show. `hidden`: the names of global servers to hide. */
  update(connections: readonly ServerConnection[], hidden: ReadonlySet<string>): void
  /** Takes everything back. */
  dispose(): void
}

function sameNames(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every((name) => right.has(name))
}

/** Opens the view of one agent; it begins with nothing shown and nothing hidden. */
export function openAgentView(agent: WorkspaceAgent, layers: AgentLayers): AgentView {
  const shown = new Map<ServerConnection, () => void>()
  let hidden: ReadonlySet<string> = new Set()
  let unhide: (() => void) | undefined

  function update(connections: readonly ServerConnection[], names: ReadonlySet<string>): void {
    const wanted = new Set(connections)
    for (const [connection, remove] of shown) {
      if (wanted.has(connection)) continue
      shown.delete(connection)
      remove()
    }
    for (const connection of wanted) {
      if (!shown.has(connection)) shown.set(connection, layers.show(agent, connection))
    }
    if (sameNames(names, hidden)) return
    unhide?.()
    hidden = names
    unhide = names.size === 0 ? undefined : layers.hide(agent, names)
  }

  return { update, dispose: () => update([], new Set()) }
}
