import {
  findServer,
  loadServerParser,
  newServerId,
  type ServerDefinition,
  type StateDraft,
  type StateServerRecord,
} from '../config/index.ts'
import type { ServerConnection } from '../connections/index.ts'
import type { LogsReply, ServerReply, ServersReply, ServerView } from './api-types.ts'
import { ApiError, jsonResponse } from './errors.ts'
import type { ApiParts } from './parts.ts'
import type { Call, Route } from './router.ts'
import { newRecord, notesOn, replacedRecord } from './server-fields.ts'
import { serverView } from './views.ts'

/** How long a request waits for a connection attempt, in milliseconds: handshake and list have 60 s each. */
const attemptLimit = 130_000

/** Waits for `work`, but no longer than the limit or until the caller is gone. */
export async function bounded(work: Promise<unknown>, signal: AbortSignal, limit = attemptLimit): Promise<void> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(limit)])
  if (ended.aborted) return
  await Promise.race([
    work,
    new Promise<void>((resolve) => ended.addEventListener('abort', () => resolve(), { once: true })),
  ])
}

/** Resolves when a connection attempt that is under way has ended; at once when there is none. */
export function attemptEnded(connection: ServerConnection): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (connection.status.state === 'connecting') return
      unsubscribe()
      resolve()
    }
    const unsubscribe = connection.subscribe(look)
    look()
  })
}

/** Checks a record the way the state file will be read. @throws {ApiError} 400 with the field. */
export async function checkRecord(record: StateServerRecord, id: string): Promise<ServerDefinition> {
  const parse = await loadServerParser()
  const parsed = parse(record, { id, name: record['name'], source: { kind: 'global' } })
  if (parsed.ok) return parsed.server
  const problem = parsed.problem.replace(/^server (?:"[^"]*"|\S+): /, '')
  const field = /^(\w+)(?:\.[^:]*)?: /.exec(problem)?.[1] ?? /^(name)\b/.exec(problem)?.[1]
  throw new ApiError(400, problem, field)
}

function refuseTakenName(parts: ApiParts, draft: StateDraft, name: unknown, id: string | undefined): void {
  const inFile = draft.servers.some((server) => server['name'] === name && server['id'] !== id)
  const loaded = parts.connections.list().some((one) => one.serverName === name && one.serverId !== id)
  if (inFile || loaded) throw new ApiError(409, `the name "${String(name)}" is taken by another server`, 'name')
}

/** The view of one server of any source, `undefined` for an id nobody knows. */
export function globalView(parts: ApiParts, id: string): ServerView | undefined {
  const definition = parts.state.current().servers.find((server) => server.id === id)
  return definition === undefined ? undefined : viewOf(parts, definition)
}

/** The view of a declared server with what its connection says. */
export function viewOf(parts: ApiParts, definition: ServerDefinition, connection?: ServerConnection): ServerView {
  const live = connection ?? parts.connections.get(definition.id)
  const resting = { state: definition.enabled ? ('disconnected' as const) : ('disabled' as const) }
  const oauth = parts.login?.health(definition)
  return serverView({
    definition,
    status: live?.status ?? resting,
    tools: parts.tools.catalog.of(definition.id),
    conflicts: parts.tools.conflicts,
    ...(oauth !== undefined && { oauth }),
  })
}

const notFound = (): ApiError => new ApiError(404, 'server not found')

function definitionOf(parts: ApiParts, id: string): ServerDefinition {
  const definition = parts.state.current().servers.find((server) => server.id === id)
  if (definition === undefined) throw notFound()
  return definition
}

function requireView(parts: ApiParts, id: string): { server: ServerView } {
  const server = globalView(parts, id)
  if (server === undefined) throw notFound()
  return { server }
}

/** `notes` of an answer, when there is something to say. */
function toldOf(body: Call['body']): { readonly notes?: readonly string[] } {
  const notes = notesOn(body)
  return notes.length === 0 ? {} : { notes }
}

async function create(parts: ApiParts, { body, signal }: Call): Promise<Response> {
  const id = newServerId()
  const record: StateServerRecord = { id, ...newRecord(body) }
  await checkRecord(record, id)
  await parts.state.update(
    (draft) => {
      refuseTakenName(parts, draft, record['name'], undefined)
      draft.servers.push(record)
    },
    { signal },
  )
  return jsonResponse({ ...requireView(parts, id), ...toldOf(body) }, 201)
}

async function replace(parts: ApiParts, { params, body, signal }: Call): Promise<ServerReply> {
  const id = params['id']!
  await parts.state.update(
    async (draft) => {
      const old = findServer(draft, id)
      if (old === undefined) throw notFound()
      const next = replacedRecord(old, body)
      await checkRecord(next, id)
      refuseTakenName(parts, draft, next['name'], id)
      for (const key of Object.keys(old)) if (!(key in next)) delete old[key]
      Object.assign(old, next)
    },
    { signal },
  )
  const connection = parts.connections.get(id)
  if (connection !== undefined) await bounded(attemptEnded(connection), signal)
  return { ...requireView(parts, id), ...toldOf(body) }
}

async function remove(parts: ApiParts, { params, signal }: Call): Promise<{ ok: true }> {
  const id = params['id']!
  await parts.state.update(
    (draft) => {
      if (findServer(draft, id) === undefined) throw notFound()
      draft.servers = draft.servers.filter((server) => server['id'] !== id)
    },
    { signal },
  )
  await bounded(parts.connections.stop(id), signal)
  parts.logs.forget(id)
  return { ok: true }
}

async function setEnabled(parts: ApiParts, { params, body, signal }: Call): Promise<{ server: ServerView }> {
  const id = params['id']!
  const enabled = body['enabled'] !== false
  if (definitionOf(parts, id).enabled !== enabled) {
    await parts.state.update(
      (draft) => {
        const record = findServer(draft, id)
        if (record === undefined) throw notFound()
        record['enabled'] = enabled
      },
      { signal },
    )
  }
  return requireView(parts, id)
}

async function connectWorkspaceServer(parts: ApiParts, { params, signal }: Call): Promise<{ server: ServerView }> {
  const found = await parts.workspaces?.find(params['id']!)
  const connection = found?.server.connection
  if (found === undefined || connection === undefined) {
    if (found?.server.hold?.kind === 'conflict') throw new ApiError(409, 'server name is taken by another server')
    throw new ApiError(404, 'server not loaded: no session of its workspace is open')
  }
  await bounded(connection.reconnect(), signal)
  return { server: viewOf(parts, found.server.definition, connection) }
}

async function connect(parts: ApiParts, call: Call): Promise<{ server: ServerView }> {
  const id = call.params['id']!
  if (id.startsWith('ws-')) return connectWorkspaceServer(parts, call)
  const definition = definitionOf(parts, id)
  if (!definition.enabled) throw new ApiError(409, 'the server is switched off: enable it first')
  const connection = parts.connections.get(id)
  if (connection === undefined) throw new ApiError(503, 'the server is not started yet: try again in a moment')
  await bounded(connection.reconnect(), call.signal)
  return requireView(parts, id)
}

/** The definition behind any id, of the state file or of a workspace. */
export async function anyDefinition(parts: ApiParts, id: string): Promise<ServerDefinition> {
  if (!id.startsWith('ws-')) return definitionOf(parts, id)
  const found = await parts.workspaces?.find(id)
  if (found === undefined) throw notFound()
  return found.server.definition
}

/** Starts a browser login. */
export async function beginLogin(
  parts: ApiParts,
  definition: ServerDefinition,
  request: Request,
): Promise<{ authorizeUrl: string }> {
  if (definition.type !== 'http' || definition.authMode !== 'oauth') {
    throw new ApiError(400, 'this server does not use OAuth: choose OAuth as its authentication first')
  }
  if (parts.login === undefined) throw new ApiError(501, 'browser login is not available in this profile')
  const url = await parts.login.begin(definition, request)
  return { authorizeUrl: url.href }
}

async function logs(parts: ApiParts, { params }: Call): Promise<LogsReply> {
  const id = params['id']!
  await anyDefinition(parts, id)
  return { logs: parts.logs.of(id).entries() }
}

/** Routes of global servers. */
export function serverRoutes(parts: ApiParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/servers',
      handle: (): ServersReply => {
        const { servers, problems } = parts.state.current()
        return { servers: [...servers.map((server) => viewOf(parts, server)), ...parts.builtin()], problems }
      },
    },
    { method: 'POST', path: '/api/servers', body: true, handle: (call) => create(parts, call) },
    { method: 'PUT', path: '/api/servers/:id', body: true, handle: (call) => replace(parts, call) },
    { method: 'DELETE', path: '/api/servers/:id', handle: (call) => remove(parts, call) },
    { method: 'POST', path: '/api/servers/:id/enabled', body: true, handle: (call) => setEnabled(parts, call) },
    { method: 'POST', path: '/api/servers/:id/connect', handle: (call) => connect(parts, call) },
    {
      method: 'POST',
      path: '/api/servers/:id/auth',
      handle: async ({ params, request }) => beginLogin(parts, await anyDefinition(parts, params['id']!), request),
    },
    {
      method: 'POST',
      path: '/api/servers/:id/logout',
      handle: async ({ params, signal }) => {
        const definition = await anyDefinition(parts, params['id']!)
        if (definition.type !== 'http') throw new ApiError(400, 'this server is a local program and has no login')
        if (parts.login === undefined) throw new ApiError(501, 'browser login is not available in this profile')
        await parts.login.logout(definition, signal)
        return { server: viewOf(parts, definition) }
      },
    },
    { method: 'GET', path: '/api/servers/:id/logs', handle: (call) => logs(parts, call) },
  ]
}
