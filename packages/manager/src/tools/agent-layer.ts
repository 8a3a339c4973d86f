import type { ToolRegistry } from '@dsh-mcp/host'
import type { OfferedTools } from './offered-tools.ts'

/** The host's own agents: `ctx.tools` is the layer of one agent. */
interface LayeredAgent {
  readonly ctx?: { readonly tools?: Pick<ToolRegistry, 'register' | 'restrict'> }
}

/** Shows and hides MCP tools for single agents. Each call returns what takes it back. */
export interface AgentLayers {
  /** Registers the tools of a workspace server for one agent and keeps them in step with its list. */
  show(agent: object, server: { readonly serverId: string }): () => void
  /** Hides global servers from one agent: prompt, direct calls and nested calls, also tools that appear later. */
  hide(agent: object, serverNames: ReadonlySet<string>): () => void
}

const layerOf = (agent: object): Pick<ToolRegistry, 'register' | 'restrict'> | undefined =>
  (agent as LayeredAgent).ctx?.tools

const nothing = (): void => undefined

/**
 * Layers for single agents. `own` ties what it starts to the plugin's life (`ctx.effect`): a registration made through an
 * agent belongs to that agent and would outlive a reload of the plugin.
 */
export function agentLayers(offered: OfferedTools, own: (start: () => () => void) => () => void): AgentLayers {
  return {
    show(agent, { serverId }) {
      const registry = layerOf(agent)
      if (registry === undefined) return nothing
      return own(() => {
        const layer = offered.addLayer(registry, (id) => id === serverId)
        return () => layer.dispose()
      })
    },
    hide(agent, serverNames) {
      const registry = layerOf(agent)
      if (registry === undefined) return nothing
      return own(() => {
        let denied = ''
        let lift = nothing
        // the host refuses names it does not know yet, so the mask is renewed whenever tools come or go
        const renew = (): void => {
          const names = offered
            .registered()
            .filter((entry) => serverNames.has(entry.serverName))
            .map((entry) => entry.publicName)
          const next = names.join(' ')
          if (next === denied) return
          const before = lift
          lift = names.length === 0 ? nothing : registry.restrict({ deny: names })
          denied = next
          before()
        }
        renew()
        const unsubscribe = offered.subscribe(renew)
        return () => {
          unsubscribe()
          lift()
        }
      })
    },
  }
}
