import { printable } from '@dsh-mcp/host'
import type { CommandAnswer, CommandDefinition, CommandInvocation } from '@dsh-mcp/host'
import { findServer, type ServerDefinition, type StateFile } from '../config/index.ts'
import type { ConnectionStatus, ServerConnections } from '../connections/index.ts'
import type { AttemptEntry, AttemptLogs } from '../diagnostics/index.ts'
import { setEnabled, type Workspaces } from '../workspaces/index.ts'
import { parseInput, wordsOf, type Words } from './words.ts'

export interface McpCommandParts {
  readonly state: StateFile
  readonly connections: ServerConnections
  readonly logs: AttemptLogs
  readonly workspaces: Workspaces | undefined
  /** Canonical directory an agent works in, `undefined` when it has none. */
  readonly rootsOf: (agent: object) => readonly string[]
}

/** A server as one agent may manage it. */
interface Managed {
  readonly definition: ServerDefinition
  readonly enabled: boolean
  readonly status: ConnectionStatus
}

const success = (text: string): CommandAnswer => ({ kind: 'success', text: printable(text) })
const failure = (text: string): CommandAnswer => ({ kind: 'error', text: printable(text) })

async function managedBy(parts: McpCommandParts, agent: object): Promise<readonly Managed[]> {
  const global = parts.state.current().servers.map((definition): Managed => {
    const idle: ConnectionStatus = { state: definition.enabled ? 'disconnected' : 'disabled' }
    return { definition, enabled: definition.enabled, status: parts.connections.get(definition.id)?.status ?? idle }
  })
  const roots = parts.rootsOf(agent)
  if (roots.length === 0 || parts.workspaces === undefined) return global
  const local = (await parts.workspaces.list())
    .filter((workspace) => roots.includes(workspace.root))
    .flatMap((workspace) => workspace.servers)
    .map(({ definition, enabledHere, connection }): Managed => {
      const idle: ConnectionStatus = { state: enabledHere ? 'configured' : 'disabled' }
      return { definition, enabled: enabledHere, status: connection?.status ?? idle }
    })
  return [...global, ...local]
}

function line({ definition, status }: Managed, words: Words): string {
  const detail = 'reason' in status && status.state !== 'connected' ? ` - ${status.reason}` : ''
  const tools = status.state === 'connected' ? `, ${words.tools(status.toolCount)}` : ''
  return `${definition.name}: ${words.state(status)}${tools}${detail}`
}

const logLine = (entry: AttemptEntry): string => {
  const detail = [entry.url, entry.detail].filter((part) => part !== '').join(' - ')
  return `[${new Date(entry.at).toISOString()}] ${entry.phase} ${entry.status} ${detail}`.trimEnd()
}

async function switchServer(parts: McpCommandParts, { definition }: Managed, enabled: boolean): Promise<void> {
  const { source, id, name } = definition
  if (source.kind === 'workspace') {
    await parts.workspaces?.change(source.path, (document) => setEnabled(document, name, enabled))
    return
  }
  await parts.state.update((draft) => {
    const record = findServer(draft, id)
    if (record !== undefined) record['enabled'] = enabled
  })
}

async function run(parts: McpCommandParts, invocation: CommandInvocation): Promise<CommandAnswer> {
  const { action, language, server } = parseInput(invocation.rawInput)
  const words = wordsOf(language)
  const servers = await managedBy(parts, invocation.agent)
  if (action === undefined) return failure(words.usage)
  if (action === 'list') {
    return success(servers.length === 0 ? words.nothing : servers.map((one) => line(one, words)).join('\n'))
  }
  if (server === undefined) return failure(`${words.missing} ${words.usage}`)
  const found = servers.find(({ definition }) => definition.name === server)
  if (found === undefined)
    return failure(
      words.unknown(
        server,
        servers.map(({ definition }) => definition.name),
      ),
    )
  if (action === 'logs') {
    const entries = parts.logs.of(found.definition.id).entries()
    return success(entries.length === 0 ? words.noLogs : entries.map(logLine).join('\n'))
  }
  if (action === 'reconnect') {
    const connection = parts.connections.get(found.definition.id)
    if (!found.enabled || connection === undefined) return failure(words.off(server))
    const status = await connection.reconnect()
    const told = line({ ...found, status }, words)
    return status.state === 'connected' ? success(told) : failure(told)
  }
  await switchServer(parts, found, action === 'enable')
  return success(action === 'enable' ? words.enabled(server) : words.disabled(server))
}

/** `/mcp`: list servers, reconnect, switch on and off, read the log, for profiles without a Settings page too. */
export function mcpCommand(parts: McpCommandParts): CommandDefinition {
  return {
    name: 'mcp',
    description: 'MCP servers: list, reconnect, enable, disable, logs (MCP 服务器：列表、重连、启用、停用、日志)',
    input: { hint: 'list | reconnect | enable | disable | logs <server>' },
    async handler(invocation) {
      try {
        return await run(parts, invocation)
      } catch (error) {
        return failure(error instanceof Error ? error.message : String(error))
      }
    },
  }
}
