import type { ToolRegistry } from '@dsh-mcp/host'
import { createToolCatalog, type CatalogParts, type ToolCatalog, type ToolEntry } from './catalog.ts'
import { createToolLayer, type LayerChange, type ToolLayer } from './layer.ts'

/** The MCP tools a host offers: global servers to every agent, servers of a workspace through a layer of their own. */
export interface OfferedTools {
  readonly catalog: ToolCatalog
  /** A further layer (`agent.ctx.tools`) with the tools of the servers that `serves` picks, kept in step until disposed. */
  addLayer(registry: Pick<ToolRegistry, 'register'>, serves: (serverId: string) => boolean): OfferedLayer
  /**
   * Marks every MCP tool so that the host may leave its schema out of model requests, or takes the mark back. Registers each
   * tool anew; it stays callable by name throughout.
   */
  deferLoading(on: boolean): void
  /** MCP tools one agent sees now, restrictions and layers of the host applied. */
  visible(agent?: object): readonly ToolEntry[]
  /** Entries of global servers that stand in the host's layer for all agents now. */
  registered(): readonly ToolEntry[]
  /** The entry behind a public name as one agent sees it, `undefined` when that agent has no such MCP tool. */
  find(name: string, agent?: object): ToolEntry | undefined
  /** Public names the host refused in the global layer, with its reason. */
  readonly conflicts: ReadonlyMap<string, string>
  /** Told after registrations or the catalog changed, with the id of the server. */
  subscribe(listener: (serverId: string) => void): () => void
  close(): void
}

/** One agent's layer of workspace tools. */
export interface OfferedLayer {
  readonly conflicts: ReadonlyMap<string, string>
  /** Call it when `serves` would answer differently now. */
  refresh(): LayerChange
  dispose(): void
}

export interface OfferedToolsParts extends CatalogParts {
  /** The registry of the plugin's own context. */
  readonly registry: Pick<ToolRegistry, 'register' | 'get' | 'schemas'>
  /** Tells of every change of the registry, so that a name that becomes free is taken. Returns what ends it. */
  readonly onRegistryChange?: (listener: () => void) => () => void
  /** A conflict that is new, for the log. */
  readonly report: (message: string) => void
}

/** Registers the tools of all global servers with the host and keeps them in step. */
export function offerTools(parts: OfferedToolsParts): OfferedTools {
  const { registry, report } = parts
  const catalog = createToolCatalog(parts)
  const layers = new Set<() => LayerChange>()
  const all = new Set<ToolLayer>()
  const listeners = new Set<(serverId: string) => void>()
  const reported = new Set<string>()
  let isDeferred = false

  const open = (registry: Pick<ToolRegistry, 'register'>, pick: (entry: ToolEntry) => boolean): OfferedLayer => {
    const layer = createToolLayer(registry)
    const refresh = (): LayerChange => {
      const change = layer.update(catalog.offered().filter(pick), { deferLoading: isDeferred })
      for (const [name, reason] of change.conflicts) {
        if (reported.has(name)) continue
        reported.add(name)
        report(`MCP tool ${name} cannot be registered: ${reason}`)
      }
      return change
    }
    layers.add(refresh)
    all.add(layer)
    refresh()
    return {
      get conflicts() {
        return layer.conflicts
      },
      refresh,
      dispose() {
        layers.delete(refresh)
        all.delete(layer)
        layer.dispose()
      },
    }
  }

  const global = open(registry, (entry) => entry.source.kind === 'global')
  const refreshAll = (): void => {
    for (const refresh of layers) refresh()
  }
  const unsubscribe = catalog.subscribe((serverId) => {
    refreshAll()
    for (const listener of listeners) listener(serverId)
  })

  /** Own registrations change the registry too; the look at what became free comes once, after them. */
  let isLooking = false
  const lookAgain = (): void => {
    if (isLooking || global.conflicts.size === 0) return
    isLooking = true
    queueMicrotask(() => {
      const { added } = global.refresh()
      const servers = new Set(
        catalog
          .offered()
          .filter((entry) => added.includes(entry.publicName))
          .map((one) => one.serverId),
      )
      for (const id of servers) for (const listener of listeners) listener(id)
      isLooking = false
    })
  }
  const unlisten = parts.onRegistryChange?.(lookAgain)

  const entryOf = (name: string, agent: object | undefined): ToolEntry | undefined => {
    const definition = registry.get(name, agent)
    if (definition === undefined) return undefined
    for (const layer of all) {
      const entry = layer.entryOf(definition)
      if (entry !== undefined) return entry
    }
    return undefined
  }

  return {
    catalog,
    addLayer: (registry, serves) =>
      open(registry, (entry) => entry.source.kind === 'workspace' && serves(entry.serverId)),
    deferLoading(on) {
      if (isDeferred === on) return
      isDeferred = on
      refreshAll()
    },
    visible(agent) {
      // one look at the registry: asking it name by name costs the whole list each time
      const seen = new Map(registry.schemas(agent).map((schema) => [schema.name, schema.description]))
      return catalog.offered().filter((entry) => seen.get(entry.publicName) === entry.definition.description)
    },
    registered: () =>
      catalog.offered().filter((entry) => entry.source.kind === 'global' && !global.conflicts.has(entry.publicName)),
    find: entryOf,
    get conflicts() {
      return global.conflicts
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close() {
      unsubscribe()
      unlisten?.()
      catalog.close()
      listeners.clear()
      for (const layer of all) layer.dispose()
      all.clear()
      layers.clear()
    },
  }
}
