import type { HttpServer } from '../config/index.ts'
import type {
  CallToolResult,
  ConnectionsEvent,
  QuarantinedTool,
  RemoteTool,
  ServerConnection,
} from '../connections/index.ts'

/** A connection whose list and answers a test sets by hand: the input side of this room. */
export interface ScriptedServer {
  readonly connection: ServerConnection
  list(tools: readonly RemoteTool[], quarantined?: readonly QuarantinedTool[]): void
  answer: (name: string, args: Readonly<Record<string, unknown>>) => CallToolResult | Promise<CallToolResult>
  /** Sets keys of the server's record and tells of it. */
  edit(raw: Record<string, unknown>): void
}

export interface ScriptedServers {
  readonly connections: {
    get(serverId: string): ServerConnection | undefined
    list(): readonly ServerConnection[]
    subscribe(listener: (event: ConnectionsEvent) => void): () => void
  }
  add(name: string, options?: { readonly workspace?: string; readonly title?: string }): ScriptedServer
  remove(server: ScriptedServer): void
}

export function scriptedServers(): ScriptedServers {
  const servers = new Map<string, ScriptedServer>()
  const listeners = new Set<(event: ConnectionsEvent) => void>()
  const tell = (event: ConnectionsEvent): void => {
    for (const listener of listeners) listener(event)
  }
  return {
    connections: {
      get: (id) => servers.get(id)?.connection,
      list: () => [...servers.values()].map((server) => server.connection),
      subscribe(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    add(name, options = {}) {
      let tools: readonly RemoteTool[] = []
      let quarantined: readonly QuarantinedTool[] = []
      let raw: Record<string, unknown> = {}
      const definition = (): HttpServer => ({
        id: `id-${name}`,
        name,
        source: options.workspace === undefined ? { kind: 'global' } : { kind: 'workspace', path: options.workspace },
        enabled: true,
        type: 'http',
        url: 'http://127.0.0.1:1/mcp',
        headers: {},
        headerEnv: {},
        authMode: 'none',
        raw,
      })
      const server: ScriptedServer = {
        answer: () => ({ content: [] }),
        connection: {
          serverId: `id-${name}`,
          serverName: name,
          get definition() {
            return definition()
          },
          get status() {
            return {
              state: 'connected' as const,
              transport: 'streamable-http' as const,
              era: 'legacy' as const,
              protocolVersion: '2025-11-25',
              reason: 'scripted',
              toolCount: tools.length,
              since: 0,
            }
          },
          get tools() {
            return tools
          },
          get quarantined() {
            return quarantined
          },
          instructions: undefined,
          serverTitle: options.title,
          firstAttempt: Promise.resolve(),
          callTool: async (tool, args) => server.answer(tool, args),
          reconnect: async () => server.connection.status,
          markAuthorizing: () => undefined,
          markNeedsAuth: () => undefined,
          markScopeNeeded: () => undefined,
          subscribe: () => () => undefined,
        },
        list(next, bad = []) {
          tools = next
          quarantined = bad
          tell({ kind: 'tools', connection: server.connection })
        },
        edit(next) {
          raw = next
          tell({ kind: 'status', connection: server.connection })
        },
      }
      servers.set(server.connection.serverId, server)
      tell({ kind: 'servers' })
      return server
    },
    remove(server) {
      servers.delete(server.connection.serverId)
      tell({ kind: 'servers' })
    },
  }
}

export const tool = (name: string, rest: Partial<RemoteTool> = {}): RemoteTool => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
  ...rest,
})
