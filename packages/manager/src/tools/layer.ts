import { withoutStacks, type ToolDefinition, type ToolRegistry } from '@dsh-mcp/host'
import type { ToolEntry } from './catalog.ts'

/** What one update of a layer did, by public name. */
export interface LayerChange {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Names something else in the layer holds, with what the host said. */
  readonly conflicts: ReadonlyMap<string, string>
}

/** Registrations of MCP tools in one layer of the host: `ctx.tools` for all agents, `agent.ctx.tools` for one. */
export interface ToolLayer {
  /** Makes exactly these entries the registered ones. What did not change keeps its registration. */
  update(entries: readonly ToolEntry[], options?: { readonly deferLoading?: boolean }): LayerChange
  readonly conflicts: ReadonlyMap<string, string>
  /** Whether `definition` is one of this layer's registrations, and of which entry. */
  entryOf(definition: ToolDefinition): ToolEntry | undefined
  dispose(): void
}

interface Registration {
  readonly entry: ToolEntry
  readonly definition: ToolDefinition
  readonly unregister: () => void
}

const deferred = new WeakMap<ToolDefinition, ToolDefinition>()

/** The same tool with its schema left out of model requests where the host can. */
function deferredDefinition(definition: ToolDefinition): ToolDefinition {
  let made = deferred.get(definition)
  if (made === undefined) {
    made = { ...definition, deferLoading: true }
    deferred.set(definition, made)
  }
  return made
}

/** Manages one layer. A name that is taken is reported and tried again with the next update; the rest is registered. */
export function createToolLayer(registry: Pick<ToolRegistry, 'register'>): ToolLayer {
  const registrations = new Map<string, Registration>()
  let conflicts: ReadonlyMap<string, string> = new Map()

  return {
    get conflicts() {
      return conflicts
    },
    update(entries, options = {}) {
      const wanted = new Map(
        entries.map((entry) => [
          entry.publicName,
          {
            entry,
            definition: options.deferLoading === true ? deferredDefinition(entry.definition) : entry.definition,
          },
        ]),
      )
      const removed: string[] = []
      const added: string[] = []
      const taken = new Map<string, string>()
      withoutStacks(() => {
        for (const [name, registration] of registrations) {
          if (wanted.get(name)?.definition === registration.definition) continue
          registrations.delete(name)
          registration.unregister()
          removed.push(name)
        }
        for (const [name, { entry, definition }] of wanted) {
          if (registrations.has(name)) continue
          try {
            registrations.set(name, { entry, definition, unregister: registry.register(definition) })
            added.push(name)
          } catch (error) {
            taken.set(name, error instanceof Error ? error.message : String(error))
          }
        }
      })
      conflicts = taken
      return { added, removed, conflicts }
    },
    entryOf(definition) {
      const registration = registrations.get(definition.name)
      return registration?.definition === definition ? registration.entry : undefined
    },
    dispose() {
      for (const registration of registrations.values()) registration.unregister()
      registrations.clear()
    },
  }
}
