import type { ServerSource } from '../config/index.ts'
import { isSameJson } from '../connections/index.ts'
import type { QuarantinedTool, RemoteTool, ServerConnection, ServerConnections } from '../connections/index.ts'
import { defineTool, type McpToolDefinition } from './definition.ts'
import { assignToolNames, meansTool } from './names.ts'
import { projectInputSchema } from './schema/index.ts'

/** One tool of one server, ready to be registered. The same object as long as nothing about the tool changes. */
export interface ToolEntry {
  readonly serverId: string
  readonly serverName: string
  /** The title the server gives itself. */
  readonly serverTitle: string | undefined
  readonly source: ServerSource
  /** The only name ever sent to the server. */
  readonly rawName: string
  readonly publicName: string
  readonly title: string | undefined
  readonly definition: McpToolDefinition
  /** Bytes (UTF-8 JSON of name, description and parameters) a model request carries for it. */
  readonly bytes: number
}

/** The tools of one server as they stand. */
export interface ServerTools {
  readonly entries: readonly ToolEntry[]
  /** Entries switched off by the user: listed to people, registered nowhere. */
  readonly disabled: ReadonlySet<ToolEntry>
  readonly quarantined: readonly QuarantinedTool[]
}

/** All tools of all servers, kept in step with the connections. */
export interface ToolCatalog {
  /** Tools of one server; empty for a server that is not connected. */
  of(serverId: string): ServerTools
  /** Entries that are switched on, in the order of the servers. */
  offered(include?: (source: ServerSource) => boolean): readonly ToolEntry[]
  /** Told with the id of a server whose tools, names or switches changed. Returns what ends it. */
  subscribe(listener: (serverId: string) => void): () => void
  close(): void
}

export interface CatalogParts {
  readonly connections: Pick<ServerConnections, 'get' | 'list' | 'subscribe'>
  /** Optional services of the host, asked at each call. */
  readonly service: (name: string) => unknown
}

interface Known {
  readonly tool: RemoteTool
  readonly publicName: string
  /** The entry, or why there is none. */
  readonly made: ToolEntry | string
}

interface ServerState {
  known: Map<string, Known>
  view: ServerTools
  /** What the view was made from, to skip work when nothing changed. */
  from:
    | { tools: readonly RemoteTool[]; quarantined: readonly QuarantinedTool[]; switches: string; name: string }
    | undefined
}

const nothing: ServerTools = { entries: [], disabled: new Set(), quarantined: [] }

/** Names the user switched off, by any of the names a tool has had: key `disabledTools` of the server's record. */
function switchedOff(connection: ServerConnection): readonly string[] {
  const listed = connection.definition.raw['disabledTools']
  return Array.isArray(listed) ? listed.filter((name) => typeof name === 'string') : []
}

/** Builds the catalog and follows the connections until closed. */
export function createToolCatalog(parts: CatalogParts): ToolCatalog {
  const { connections, service } = parts
  const states = new Map<string, ServerState>()
  const listeners = new Set<(serverId: string) => void>()

  const ownerOf = (publicName: string, serverId: string): boolean => {
    for (const [id, state] of states) {
      if (id !== serverId && state.view.entries.some((entry) => entry.publicName === publicName)) return true
    }
    return false
  }

  const makeEntry = (connection: ServerConnection, tool: RemoteTool, publicName: string): ToolEntry | string => {
    const projection = projectInputSchema(tool.inputSchema)
    if (!projection.ok) return projection.reason
    const { serverId, serverName } = connection
    const definition = defineTool({
      tool,
      publicName,
      parameters: projection.schema,
      service,
      caller: {
        serverName,
        // a server that is edited or reconnects keeps its id, so the definition stays valid
        callTool: (name, args, options) => {
          const current = connections.get(serverId)
          if (current === undefined) return Promise.reject(new Error(`MCP server "${serverName}" is no longer there`))
          return current.callTool(name, args, options)
        },
      },
    })
    const { name, description, parameters } = definition
    return {
      serverId,
      serverName,
      serverTitle: connection.serverTitle,
      source: connection.definition.source,
      rawName: tool.name,
      publicName,
      title: tool.title,
      definition,
      bytes: Buffer.byteLength(JSON.stringify({ name, description, parameters })),
    }
  }

  const rebuild = (connection: ServerConnection, state: ServerState): void => {
    const first = new Map<string, RemoteTool>()
    const quarantined: QuarantinedTool[] = [...connection.quarantined]
    for (const tool of connection.tools) {
      if (first.has(tool.name)) quarantined.push({ name: tool.name, reason: 'listed twice; the first one is used' })
      else first.set(tool.name, tool)
    }
    const mayClash = states.size > 1
    const names = assignToolNames(connection.serverName, [...first.keys()], (name) =>
      mayClash ? ownerOf(name, connection.serverId) : false,
    )
    const known = new Map<string, Known>()
    const entries: ToolEntry[] = []
    for (const [rawName, tool] of first) {
      const publicName = names.get(rawName)!
      const before = state.known.get(rawName)
      const isSame =
        before !== undefined &&
        isSameJson(before.tool, tool) &&
        before.publicName === publicName &&
        !isNamedOtherwise(before, connection)
      const made = isSame ? before.made : makeEntry(connection, tool, publicName)
      known.set(rawName, { tool: isSame ? before.tool : tool, publicName, made })
      if (typeof made === 'string') quarantined.push({ name: rawName, reason: made })
      else entries.push(made)
    }
    // what is gone stays known, so that a server that comes back keeps its registrations' identity
    if (connection.status.state !== 'connected')
      for (const [name, one] of state.known) if (!known.has(name)) known.set(name, one)
    state.known = known
    const off = switchedOff(connection)
    const disabled = new Set(
      entries.filter((entry) => off.some((name) => meansTool(name, entry.serverName, entry.rawName))),
    )
    state.view = { entries, disabled, quarantined }
  }

  const refresh = (connection: ServerConnection): void => {
    let state = states.get(connection.serverId)
    if (state === undefined) {
      state = { known: new Map(), view: nothing, from: undefined }
      states.set(connection.serverId, state)
    }
    const switches = JSON.stringify(switchedOff(connection))
    const { tools, quarantined, serverName: name } = connection
    const { from } = state
    if (from?.tools === tools && from.quarantined === quarantined && from.switches === switches && from.name === name)
      return
    state.from = { tools, quarantined, switches, name }
    rebuild(connection, state)
    for (const listener of listeners) listener(connection.serverId)
  }

  const refreshAll = (): void => {
    const alive = connections.list()
    const ids = new Set(alive.map((connection) => connection.serverId))
    for (const id of states.keys()) {
      if (ids.has(id)) continue
      states.delete(id)
      for (const listener of listeners) listener(id)
    }
    for (const connection of alive) refresh(connection)
  }

  const unsubscribe = connections.subscribe((event) => {
    if (event.kind === 'servers') refreshAll()
    else refresh(event.connection)
  })
  refreshAll()

  return {
    of: (serverId) => states.get(serverId)?.view ?? nothing,
    offered: (include = () => true) =>
      [...states.values()].flatMap(({ view }) =>
        view.entries.filter((entry) => include(entry.source) && !view.disabled.has(entry)),
      ),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close() {
      unsubscribe()
      listeners.clear()
    },
  }
}

function isNamedOtherwise(before: Known, connection: ServerConnection): boolean {
  const { made } = before
  if (typeof made === 'string') return false
  return made.serverName !== connection.serverName || made.serverTitle !== connection.serverTitle
}
