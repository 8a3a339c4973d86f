import { findServer } from '../config/index.ts'
import type { ServerConnection } from '../connections/index.ts'
import { meansTool, resultAsShown, type ServerTools, type ToolEntry } from '../tools/index.ts'
import type { ToolsReply, TryReply } from './api-types.ts'
import { ApiError } from './errors.ts'
import type { ApiParts } from './parts.ts'
import type { Call, Route } from './router.ts'
import { anyDefinition } from './server-routes.ts'
import { toolViews } from './views.ts'

/** The longest trial call, in milliseconds; a server with a smaller budget of its own keeps it. */
const tryLimit = 60_000

async function toolsOf(parts: ApiParts, id: string): Promise<ServerTools> {
  await anyDefinition(parts, id)
  return parts.tools.catalog.of(id)
}

function named(tools: ServerTools, name: unknown): ToolEntry {
  if (typeof name !== 'string' || name === '') throw new ApiError(400, 'tool is missing: give its name', 'tool')
  const entry = tools.entries.find((one) => meansTool(name, one.serverName, one.rawName) || one.publicName === name)
  if (entry === undefined) throw new ApiError(404, `this server offers no tool named ${name}`)
  return entry
}

/** `disabledTools` with one tool switched; older spellings of its name go with it. */
function switched(list: unknown, entry: ToolEntry, enabled: boolean): string[] {
  const names = Array.isArray(list) ? list.filter((name) => typeof name === 'string') : []
  const others = names.filter((name) => !meansTool(name, entry.serverName, entry.rawName))
  return enabled ? others : [...others, entry.rawName]
}

function edit(record: Record<string, unknown>, entry: ToolEntry, enabled: boolean): void {
  const next = switched(record['disabledTools'], entry, enabled)
  if (next.length > 0) record['disabledTools'] = next
  else delete record['disabledTools']
}

async function setTool(parts: ApiParts, { params, body, signal }: Call): Promise<ToolsReply> {
  const id = params['id']!
  const entry = named(await toolsOf(parts, id), body['tool'])
  if (typeof body['enabled'] !== 'boolean') throw new ApiError(400, 'enabled must be a boolean', 'enabled')
  const enabled = body['enabled']
  if (entry.source.kind === 'workspace') {
    await parts.workspaces?.change(entry.source.path, (document) => {
      const record = document.mcpServers?.[entry.serverName]
      if (record !== undefined) edit(record, entry, enabled)
    })
  } else {
    await parts.state.update(
      (draft) => {
        const record = findServer(draft, id)
        if (record === undefined) throw new ApiError(404, 'server not found')
        edit(record, entry, enabled)
      },
      { signal },
    )
  }
  return { tools: toolViews(parts.tools.catalog.of(id), parts.tools.conflicts) }
}

function liveConnection(parts: ApiParts, id: string): ServerConnection {
  const connection = parts.connections.get(id)
  if (connection?.status.state !== 'connected') throw new ApiError(409, 'the server is not connected: connect it first')
  return connection
}

async function tryTool(parts: ApiParts, { params, body, signal }: Call): Promise<TryReply> {
  const id = params['id']!
  const entry = named(await toolsOf(parts, id), body['tool'])
  const args = body['arguments'] ?? {}
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw new ApiError(400, 'arguments must be a JSON object', 'arguments')
  }
  const connection = liveConnection(parts, id)
  const started = performance.now()
  const timeoutMs = Math.min(connection.definition.timeout ?? tryLimit, tryLimit)
  const shown = await resultAsShown(entry.rawName, () =>
    connection.callTool(entry.rawName, args as Record<string, unknown>, { signal, timeoutMs }),
  )
  return { ...shown, durationMs: Math.round(performance.now() - started) }
}

/** Routes of single tools. */
export function toolRoutes(parts: ApiParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/servers/:id/tools',
      handle: async ({ params }): Promise<ToolsReply> => ({
        tools: toolViews(await toolsOf(parts, params['id']!), parts.tools.conflicts),
      }),
    },
    { method: 'POST', path: '/api/servers/:id/tools', body: true, handle: (call) => setTool(parts, call) },
    { method: 'POST', path: '/api/servers/:id/try', body: true, handle: (call) => tryTool(parts, call) },
  ]
}
