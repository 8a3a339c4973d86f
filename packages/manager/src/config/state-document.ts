import { createHash, randomBytes } from 'node:crypto'
import type { OAuthRecord } from './server-definition.ts'
import { parseJson } from './parse-json.ts'
import { loadServerParser, readMap } from './server-record.ts'
import type { StateDraft, StateServerRecord, StateSnapshot } from './state-file.ts'

/** What a fresh home says: nothing. */
export const emptySnapshot: StateSnapshot = {
  servers: [],
  workspaceTokens: {},
  onDemandToolInjection: false,
  workspaceConsents: {},
  workspaceRefusals: {},
  problems: [],
}

/** A new id for a global server: eleven base64url characters of eight random bytes. */
export function newServerId(): string {
  return randomBytes(8).toString('base64url')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Reads the text of a state file as a document to be changed. A byte-order mark is ignored.
 * @throws {SyntaxError} the text is not JSON, is empty, or is no object with a list of servers.
 */
export function readDocument(content: string): StateDraft {
  const body = content.startsWith('\uFEFF') ? content.slice(1) : content
  if (body.trim() === '') throw new SyntaxError('the file is empty')
  const value: unknown = parseJson(body)
  if (!isRecord(value)) throw new SyntaxError('the file holds no JSON object')
  const servers = value.servers ?? []
  if (!Array.isArray(servers)) throw new SyntaxError('"servers" is not a list')
  if (value.workspaceTokens !== undefined && !isRecord(value.workspaceTokens)) {
    throw new SyntaxError('"workspaceTokens" is not an object')
  }
  return { ...value, servers: servers as StateServerRecord[] }
}

/** The text of a document: two spaces of indent, a newline at the end. */
export function writeDocument(document: StateDraft): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

/** The record of a server in a document, by id. */
export function findServer(document: StateDraft, id: string): StateServerRecord | undefined {
  return document.servers.find((server) => isRecord(server) && server.id === id)
}

function derivedId(seed: string): string {
  // The same input gives the same id in every process, also while it cannot be saved.
  return createHash('sha256').update(seed).digest('base64url').slice(0, 11)
}

const validId = /^[A-Za-z0-9_-]+$/

/**
 * Brings an old document up to date in place: servers without an id of their own get one, lists of `{ name, value }`
 * become maps. Returns whether anything changed.
 */
export function migrate(document: StateDraft): boolean {
  let changed = false
  const taken = new Set<string>()
  for (const [index, server] of document.servers.entries()) {
    if (!isRecord(server)) continue
    const id = server.id
    if (typeof id !== 'string' || !validId.test(id) || taken.has(id)) {
      let round = 0
      let fresh: string
      do fresh = derivedId(`${index}\n${String(server.name)}\n${round++}`)
      while (taken.has(fresh) || document.servers.some((other) => isRecord(other) && other.id === fresh))
      server.id = fresh
      changed = true
    }
    taken.add(server.id as string)
    for (const field of ['env', 'headers', 'headerEnv']) {
      if (!Array.isArray(server[field])) continue
      server[field] = readMap(server[field])
      changed = true
    }
  }
  return changed
}

function leftover(server: StateServerRecord): string | undefined {
  if (typeof server.url !== 'string') return undefined
  let url: URL
  try {
    url = new URL(server.url)
  } catch {
    return undefined
  }
  if (url.port !== '9' && !url.hostname.endsWith('.invalid')) return undefined
  return `server "${String(server.name)}": ${url.host} looks like a leftover of a test; delete it if you do not know it`
}

function readHashes(value: unknown): StateSnapshot['workspaceConsents'] {
  if (!isRecord(value)) return {}
  const lists = Object.entries(value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  return Object.fromEntries(lists.map(([root, list]) => [root, list.filter((hash) => typeof hash === 'string')]))
}

/** Reads a migrated document: what is valid becomes definitions, what is not becomes problems. */
export async function readSnapshot(document: StateDraft): Promise<StateSnapshot> {
  const parse = await loadServerParser()
  const problems: string[] = []
  const servers: StateSnapshot['servers'][number][] = []
  const names = new Set<string>()
  for (const [index, raw] of document.servers.entries()) {
    const record = isRecord(raw) ? raw : {}
    const id = typeof record.id === 'string' ? record.id : `#${index + 1}`
    const parsed = parse(raw, { id, name: record.name, source: { kind: 'global' } })
    if (!parsed.ok) {
      problems.push(parsed.problem)
      continue
    }
    if (names.has(parsed.server.name)) {
      problems.push(`server "${parsed.server.name}": the name stands twice in the state file; rename one (id ${id})`)
      continue
    }
    names.add(parsed.server.name)
    servers.push(parsed.server)
    if (record.staticToken !== undefined && record.staticToken !== '') {
      problems.push(
        `server "${parsed.server.name}": its token stands in clear in the state file; name an environment variable instead`,
      )
    }
    const hint = leftover(record)
    if (hint !== undefined) problems.push(hint)
  }
  const workspaceTokens: Record<string, { oauth?: OAuthRecord }> = {}
  for (const [key, value] of Object.entries(document.workspaceTokens ?? {})) {
    if (isRecord(value)) workspaceTokens[key] = value
  }
  return {
    servers,
    workspaceTokens,
    onDemandToolInjection: document.onDemandToolInjection === true,
    workspaceConsents: readHashes(document.workspaceConsents),
    workspaceRefusals: readHashes(document.workspaceRefusals),
    problems,
  }
}
