import type { StateServerRecord } from '../config/index.ts'
import type { ConnectionStatus } from '../connections/index.ts'
import {
  addServer,
  deleteServer,
  replaceServer,
  setEnabled,
  setExcluded,
  workspaceServerId,
  type Workspace,
  type Workspaces,
  type WorkspaceServer,
} from '../workspaces/index.ts'
import type { ConsentView, ServerView, WorkspacesReply, WorkspaceView } from './api-types.ts'
import { ApiError } from './errors.ts'
import { maskUrl } from './mask.ts'
import type { ApiParts } from './parts.ts'
import type { Call, Route } from './router.ts'
import { newRecord, replacedRecord } from './server-fields.ts'
import { beginLogin, checkRecord } from './server-routes.ts'
import { serverView } from './views.ts'
import { followWithLogin } from './workspace-login.ts'

type Body = Readonly<Record<string, unknown>>

function statusOf({ connection, hold }: WorkspaceServer): ConnectionStatus {
  if (connection !== undefined) return connection.status
  if (hold?.kind === 'disabled') return { state: 'disabled' }
  if (hold?.kind === 'conflict') return { state: 'conflict', reason: 'server name is taken by another server' }
  return { state: 'configured' }
}

function consentOf(parts: ApiParts, { definition, hold, subject }: WorkspaceServer): ConsentView | undefined {
  if (subject === undefined) return undefined
  const isAsked = hold?.kind === 'consent'
  if (!isAsked && !parts.askBeforeWorkspaceCommands()) return undefined
  const state = !isAsked ? 'allowed' : hold.refused ? 'refused' : 'asked'
  const { hash } = subject
  if (definition.type === 'http') return { state, command: maskUrl(subject.text), args: [], environment: [], hash }
  return { state, command: definition.command, args: definition.args, environment: Object.keys(definition.env), hash }
}

function viewOf(parts: ApiParts, server: WorkspaceServer): ServerView {
  const { definition, enabledHere } = server
  const oauth = parts.login?.health(definition)
  const consent = consentOf(parts, server)
  const view = serverView({
    definition,
    status: statusOf(server),
    tools: parts.tools.catalog.of(definition.id),
    ...(oauth !== undefined && { oauth }),
  })
  return { ...view, enabled: enabledHere, ...(consent !== undefined && { consent }) }
}

function workspaceView(parts: ApiParts, workspace: Workspace): WorkspaceView {
  const { root, servers, declaration, error } = workspace
  return {
    path: root,
    servers: servers.map((server) => viewOf(parts, server)),
    exclude: declaration.exclude,
    disabled: [...declaration.disabled],
    error: error ?? null,
    problems: declaration.problems,
  }
}

function requireWorkspaces(parts: ApiParts): Workspaces {
  if (parts.workspaces === undefined) throw new ApiError(501, 'workspaces are not available in this profile')
  return parts.workspaces
}

async function list(parts: ApiParts): Promise<WorkspacesReply> {
  const workspaces = (await parts.workspaces?.list()) ?? []
  return { workspaces: workspaces.map((workspace) => workspaceView(parts, workspace)) }
}

function text(body: Body, field: string): string {
  const value = body[field]
  if (typeof value !== 'string' || value === '') throw new ApiError(400, `${field} is missing`, field)
  return value
}

/** The canonical path of an allowed workspace. @throws {ApiError} 400 or 403. */
async function rootOf(parts: ApiParts, body: Body): Promise<string> {
  const root = await requireWorkspaces(parts).resolve(text(body, 'path'))
  if (root === undefined) throw new ApiError(403, 'path is not a registered or active DSH workspace', 'path')
  return root
}

type Change = Parameters<Workspaces['change']>[1]

async function change(parts: ApiParts, root: string, edit: Change): Promise<WorkspacesReply> {
  try {
    await requireWorkspaces(parts).change(root, edit)
  } catch (error) {
    if (error instanceof SyntaxError) throw new ApiError(409, error.message)
    throw error
  }
  return list(parts)
}

function isGlobalName(parts: ApiParts, name: string): boolean {
  return parts.state.current().servers.some((server) => server.name === name)
}

async function localServer(parts: ApiParts, root: string, name: string): Promise<WorkspaceServer> {
  const workspaces = await requireWorkspaces(parts).list()
  const workspace = workspaces.find((one) => one.root === root)
  const server = workspace?.servers.find(({ definition }) => definition.name === name)
  if (server === undefined) throw new ApiError(404, `this workspace declares no server named ${name}`)
  return server
}

function refuseTakenName(parts: ApiParts, root: string, name: unknown): void {
  const holder = parts.connections.list().find((one) => one.serverName === name && !isOf(one.definition.source, root))
  const isTaken = holder !== undefined || (typeof name === 'string' && isGlobalName(parts, name))
  if (isTaken) throw new ApiError(409, `the name "${String(name)}" is taken by another server`, 'name')
}

const isOf = (source: { readonly kind: string; readonly path?: string }, root: string): boolean =>
  source.kind === 'workspace' && source.path === root

function split(record: StateServerRecord): { name: string; entry: Record<string, unknown> } {
  const { name, id: _, ...entry } = record
  return { name: String(name), entry }
}

async function add(parts: ApiParts, { body }: Call): Promise<WorkspacesReply> {
  const root = await rootOf(parts, body)
  const record = newRecord(body)
  await checkRecord(record, 'new')
  refuseTakenName(parts, root, record['name'])
  const { name, entry } = split(record)
  return change(parts, root, (document) => addServer(document, name, entry))
}

async function replace(parts: ApiParts, { body, signal }: Call): Promise<WorkspacesReply> {
  const root = await rootOf(parts, body)
  const oldName = text(body, 'oldName')
  const old = await localServer(parts, root, oldName)
  const login = old.definition.type === 'http' ? old.definition.oauth : undefined
  const { oauth: kept, ...record } = replacedRecord({ ...old.definition.raw, name: oldName, oauth: login }, body)
  await checkRecord(record, 'changed')
  if (record['name'] !== oldName) refuseTakenName(parts, root, record['name'])
  const { name, entry } = split(record)
  // Before the file: a connection under the new name begins at once, and should find its login.
  if (kept === undefined) await followWithLogin(parts, root, { kind: 'ended', name: oldName }, signal)
  else if (name !== oldName) await followWithLogin(parts, root, { kind: 'renamed', from: oldName, to: name }, signal)
  if (name !== oldName) parts.logs.forget(workspaceServerId(root, oldName))
  return change(parts, root, (document, globalNames) => replaceServer(document, oldName, name, entry, globalNames))
}

async function remove(parts: ApiParts, { body, signal }: Call): Promise<WorkspacesReply> {
  const root = await rootOf(parts, body)
  const name = text(body, 'name')
  await change(parts, root, (document, globalNames) => deleteServer(document, name, globalNames))
  await followWithLogin(parts, root, { kind: 'ended', name }, signal)
  parts.logs.forget(workspaceServerId(root, name))
  return list(parts)
}

async function setState(parts: ApiParts, { body }: Call): Promise<WorkspacesReply> {
  const root = await rootOf(parts, body)
  const name = text(body, 'name')
  if (typeof body['enabled'] !== 'boolean') throw new ApiError(400, 'enabled must be a boolean', 'enabled')
  const enabled = body['enabled']
  if (!isGlobalName(parts, name)) await localServer(parts, root, name)
  return change(parts, root, (document) => setEnabled(document, name, enabled))
}

async function exclude(parts: ApiParts, { body }: Call): Promise<WorkspacesReply> {
  const root = await rootOf(parts, body)
  const name = text(body, 'server')
  if (!isGlobalName(parts, name)) throw new ApiError(400, `there is no global server named ${name}`, 'server')
  const excluded = body['exclude'] !== false
  return change(parts, root, (document) => setExcluded(document, name, excluded))
}

async function consent(parts: ApiParts, { body }: Call): Promise<WorkspacesReply> {
  const root = await rootOf(parts, body)
  const { subject } = await localServer(parts, root, text(body, 'name'))
  if (typeof body['allow'] !== 'boolean') throw new ApiError(400, 'allow must be a boolean', 'allow')
  if (subject === undefined) throw new ApiError(409, 'this server needs no permission')
  if (body['hash'] !== undefined && body['hash'] !== subject.hash) {
    throw new ApiError(409, 'the file has changed since it was shown: look at it again, then answer', 'hash')
  }
  await requireWorkspaces(parts).decide(root, subject, body['allow'])
  return list(parts)
}

/** Routes of servers that a workspace declares. */
export function workspaceRoutes(parts: ApiParts): readonly Route[] {
  return [
    { method: 'GET', path: '/api/workspaces', handle: () => list(parts) },
    {
      method: 'POST',
      path: '/api/workspaces/auth',
      body: true,
      handle: async ({ body, request }) => {
        const root = await rootOf(parts, body)
        const { definition } = await localServer(parts, root, text(body, 'name'))
        return beginLogin(parts, definition, request)
      },
    },
    { method: 'POST', path: '/api/workspaces/exclude', body: true, handle: (call) => exclude(parts, call) },
    { method: 'POST', path: '/api/workspaces/servers', body: true, handle: (call) => add(parts, call) },
    { method: 'PUT', path: '/api/workspaces/servers', body: true, handle: (call) => replace(parts, call) },
    { method: 'POST', path: '/api/workspaces/servers/delete', body: true, handle: (call) => remove(parts, call) },
    { method: 'POST', path: '/api/workspaces/server-state', body: true, handle: (call) => setState(parts, call) },
    { method: 'POST', path: '/api/workspaces/consent', body: true, handle: (call) => consent(parts, call) },
  ]
}
