import type {
  ExportReply,
  ImportEntry,
  ImportPreviewReply,
  ImportReply,
  LogsReply,
  ServersReply,
  ServerView,
  SettingsReply,
  TestReply,
  ToolsReply,
  TryReply,
  WorkspacesReply,
} from '../../web/api-types.ts'
import type { Send } from './request.ts'

type Fields = Readonly<Record<string, unknown>>

/** The routes of the host half, one function each. All reject with a `RequestFailure`. */
export interface ManagerApi {
  servers(signal?: AbortSignal): Promise<ServersReply>
  workspaces(signal?: AbortSignal): Promise<WorkspacesReply>
  settings(signal?: AbortSignal): Promise<SettingsReply>
  setOnDemand(enabled: boolean): Promise<SettingsReply>
  add(fields: Fields): Promise<{ server: ServerView }>
  change(id: string, fields: Fields): Promise<{ server: ServerView }>
  remove(id: string): Promise<unknown>
  setEnabled(id: string, enabled: boolean): Promise<{ server: ServerView }>
  connect(id: string): Promise<{ server: ServerView }>
  authorize(id: string): Promise<{ authorizeUrl: string }>
  logout(id: string): Promise<unknown>
  logs(id: string, signal?: AbortSignal): Promise<LogsReply>
  tools(id: string, signal?: AbortSignal): Promise<ToolsReply>
  setToolEnabled(id: string, tool: string, enabled: boolean): Promise<unknown>
  tryTool(id: string, tool: string, args: Fields, signal?: AbortSignal): Promise<TryReply>
  test(fields: Fields, signal?: AbortSignal): Promise<TestReply>
  importPreview(text: string, signal?: AbortSignal): Promise<ImportPreviewReply>
  importEntries(entries: readonly Pick<ImportEntry, 'name' | 'definition'>[]): Promise<ImportReply>
  exported(): Promise<ExportReply>
  workspaceAdd(path: string, fields: Fields): Promise<WorkspacesReply>
  workspaceChange(path: string, oldName: string, fields: Fields): Promise<WorkspacesReply>
  workspaceRemove(path: string, name: string): Promise<WorkspacesReply>
  workspaceSetEnabled(path: string, name: string, enabled: boolean): Promise<WorkspacesReply>
  workspaceAuthorize(path: string, name: string): Promise<{ authorizeUrl: string }>
  /** `hash` is that of the question a person saw. */
  workspaceConsent(path: string, name: string, hash: string, allow: boolean): Promise<WorkspacesReply>
}

/** The routes over `send`. */
export function createManagerApi(send: Send): ManagerApi {
  const of = (id: string): string => `/servers/${encodeURIComponent(id)}`
  const get = <Reply>(path: string, signal?: AbortSignal): Promise<Reply> =>
    send({ method: 'GET', path, ...(signal === undefined ? {} : { signal }) })
  const post = <Reply>(path: string, body: Fields = {}, signal?: AbortSignal): Promise<Reply> =>
    send({ method: 'POST', path, body, ...(signal === undefined ? {} : { signal }) })
  const put = <Reply>(path: string, body: Fields): Promise<Reply> => send({ method: 'PUT', path, body })
  return {
    servers: (signal) => get('/servers', signal),
    workspaces: (signal) => get('/workspaces', signal),
    settings: (signal) => get('/settings', signal),
    setOnDemand: (enabled) => post('/settings/on-demand', { enabled }),
    add: (fields) => post('/servers', fields),
    change: (id, fields) => put(of(id), fields),
    remove: (id) => send({ method: 'DELETE', path: of(id) }),
    setEnabled: (id, enabled) => post(`${of(id)}/enabled`, { enabled }),
    connect: (id) => post(`${of(id)}/connect`),
    authorize: (id) => post(`${of(id)}/auth`),
    logout: (id) => post(`${of(id)}/logout`),
    logs: (id, signal) => get(`${of(id)}/logs`, signal),
    tools: (id, signal) => get(`${of(id)}/tools`, signal),
    setToolEnabled: (id, tool, enabled) => post(`${of(id)}/tools`, { tool, enabled }),
    tryTool: (id, tool, args, signal) => post(`${of(id)}/try`, { tool, arguments: args }, signal),
    test: (fields, signal) => post('/servers/test', fields, signal),
    importPreview: (text, signal) => post('/import/preview', { text }, signal),
    importEntries: (entries) => post('/import', { entries }),
    exported: () => get('/export'),
    workspaceAdd: (path, fields) => post('/workspaces/servers', { ...fields, path }),
    workspaceChange: (path, oldName, fields) => put('/workspaces/servers', { ...fields, path, oldName }),
    workspaceRemove: (path, name) => post('/workspaces/servers/delete', { path, name }),
    workspaceSetEnabled: (path, name, enabled) => post('/workspaces/server-state', { path, name, enabled }),
    workspaceAuthorize: (path, name) => post('/workspaces/auth', { path, name }),
    workspaceConsent: (path, name, hash, allow) => post('/workspaces/consent', { path, name, hash, allow }),
  }
}
