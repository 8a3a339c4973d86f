import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { parseJson } from '../config/index.ts'

/** The document of a workspace file while it is being changed. Unknown keys are there too and stay. */
export interface WorkspaceDocument {
  mcpServers?: Record<string, Record<string, unknown>>
  disabled?: string[]
  exclude?: string[]
  [key: string]: unknown
}

/** Machine-readable cause of a refused change. */
export type WorkspaceEditErrorCode = 'unknown-server' | 'name-taken' | 'unusable-file'

/** A change of a workspace file that makes no sense; nothing was written. */
export class WorkspaceEditError extends Error {
  readonly code: WorkspaceEditErrorCode
  constructor(code: WorkspaceEditErrorCode, message: string) {
    super(message)
    this.name = 'WorkspaceEditError'
    this.code = code
  }
}

/** Path of the file that declares the servers of a workspace. `root` is the canonical path of the workspace. */
export function workspaceFilePath(root: string): string {
  return join(root, '.dsh', 'dshmm', 'mcp.json')
}

/** Id of a workspace server: the same in every process and before it is loaded. */
export function workspaceServerId(root: string, name: string): string {
  return `ws-${createHash('sha256').update(`${root}\n${name}`).digest('hex').slice(0, 20)}`
}

/** Key of a workspace server's OAuth record in the state file. */
export function workspaceTokenKey(root: string, name: string): string {
  return `${root}\n${name}`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Why a file is no workspace file. */
function wrong(detail: string): SyntaxError {
  return new SyntaxError(`invalid .dsh/dshmm/mcp.json: ${detail}`)
}

/**
 * Reads the text of a workspace file as a document. A byte-order mark is ignored.
 * @throws {SyntaxError} not JSON, or a part has the wrong shape. The message is ready to be shown.
 */
export function readWorkspaceDocument(text: string): WorkspaceDocument {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  let value: unknown
  try {
    value = body.trim() === '' ? undefined : parseJson(body)
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
  if (value === undefined) throw wrong('the file is empty')
  if (!isRecord(value)) throw wrong('the file holds no JSON object')
  if (value.mcpServers !== undefined && !isRecord(value.mcpServers)) throw wrong('"mcpServers" is not an object')
  for (const list of ['disabled', 'exclude']) {
    if (value[list] !== undefined && !Array.isArray(value[list])) throw wrong(`"${list}" is not a list`)
  }
  return value
}

/** The text of a document: two spaces of indent, a newline at the end. */
export function writeWorkspaceDocument(document: WorkspaceDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

/** The names in a list of a document; entries that are no text are left out. */
export function namesIn(list: readonly unknown[] | undefined): readonly string[] {
  return (list ?? []).filter((name) => typeof name === 'string')
}

function serversOf(document: WorkspaceDocument): Record<string, Record<string, unknown>> {
  document.mcpServers ??= {}
  return document.mcpServers
}

/** Adds a server at the end. */
export function addServer(document: WorkspaceDocument, name: string, record: Record<string, unknown>): void {
  const servers = serversOf(document)
  if (Object.hasOwn(servers, name)) throw new WorkspaceEditError('name-taken', `a server named ${name} exists already`)
  servers[name] = record
}

/**
 * Replaces a server, under a new name if that differs, in its place. Unknown keys of its record are the caller's to keep.
 * `disabled` follows the rename; the old name stays in it when a global server has it too.
 */
export function replaceServer(
  document: WorkspaceDocument,
  oldName: string,
  name: string,
  record: Record<string, unknown>,
  globalNames: ReadonlySet<string>,
): void {
  const servers = serversOf(document)
  if (!Object.hasOwn(servers, oldName)) throw new WorkspaceEditError('unknown-server', `no server named ${oldName}`)
  if (name !== oldName && Object.hasOwn(servers, name)) {
    throw new WorkspaceEditError('name-taken', `a server named ${name} exists already`)
  }
  document.mcpServers = Object.fromEntries(
    Object.entries(servers).map(([key, value]) => (key === oldName ? [name, record] : [key, value])),
  )
  if (name === oldName || !namesIn(document.disabled).includes(oldName)) return
  setDisabled(document, name, true)
  if (!globalNames.has(oldName)) setDisabled(document, oldName, false)
}

/** Deletes a server and its name from `disabled`, unless a global server has that name too. */
export function deleteServer(document: WorkspaceDocument, name: string, globalNames: ReadonlySet<string>): void {
  const servers = serversOf(document)
  if (!Object.hasOwn(servers, name)) throw new WorkspaceEditError('unknown-server', `no server named ${name}`)
  delete servers[name]
  if (!globalNames.has(name)) setDisabled(document, name, false)
}

function setDisabled(document: WorkspaceDocument, name: string, disabled: boolean): void {
  const others = (document.disabled ?? []).filter((other) => other !== name)
  document.disabled = disabled ? [...others, name] : others
}

/** Switches a name in this workspace. The names of the older `exclude` list move to `disabled` on the way. */
export function setEnabled(document: WorkspaceDocument, name: string, enabled: boolean): void {
  for (const old of namesIn(document.exclude)) setDisabled(document, old, true)
  delete document.exclude
  setDisabled(document, name, !enabled)
}

/** Switches a global name in the older `exclude` list, for callers that still use it. */
export function setExcluded(document: WorkspaceDocument, name: string, excluded: boolean): void {
  setEnabled(document, name, !excluded)
}
