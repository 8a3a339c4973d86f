import type { ToolRegistry } from '@dsh-mcp/host'
import type { OfferedTools } from '../tools/index.ts'

/** What an agent of the host must offer for its view to be shaped. */
export interface WorkspaceAgent {
  readonly id: string
  readonly session: { readonly header: { readonly cwd?: string } }
  readonly ctx: { readonly tools: ToolRegistry }
}

/** What one agent sees beside the global servers. */
export interface AgentView {
  /** `shown`: ids of the workspace servers to show. `hidden`: names of the global servers to hide. */
  update(shown: ReadonlySet<string>, hidden: ReadonlySet<string>): void
  /** Takes everything back. */
  dispose(): void
}

/**
 * Opens the view of one agent; it begins with nothing shown and nothing hidden. Shown tools stand in a layer of the agent's
 * own. Hidden ones are masked in the host's registry, so that neither the prompt nor the executor knows them, and masked
 * anew whenever tools come or go, because the host refuses to mask a name it does not know yet.
 */
export function openAgentView(agent: WorkspaceAgent, tools: OfferedTools): AgentView {
  const registry = agent.ctx.tools
  let shown: ReadonlySet<string> = new Set()
  let hidden: ReadonlySet<string> = new Set()
  let unmask: (() => void) | undefined
  let masked = ''
  const layer = tools.addLayer(registry, (serverId) => shown.has(serverId))

  function mask(): void {
    const names = tools.catalog
      .offered((source) => source.kind === 'global')
      .filter((entry) => hidden.has(entry.serverName))
      .map((entry) => entry.publicName)
    const wanted = names.join('\n')
    if (wanted === masked) return
    unmask?.()
    unmask = undefined
    masked = wanted
    const known = names.filter((name) => registry.get(name, agent) !== undefined)
    if (known.length > 0) unmask = registry.restrict({ deny: known })
  }

  const unsubscribe = tools.subscribe(mask)
  return {
    update(nextShown, nextHidden) {
      shown = nextShown
      hidden = nextHidden
      layer.refresh()
      mask()
    },
    dispose() {
      unsubscribe()
      layer.dispose()
      unmask?.()
    },
  }
}
