import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isGone } from './is-gone.ts'

/** What a client of this machine needs to reach the endpoint: the content of `dsh-mcp-endpoint.json`. */
export interface EndpointRecord {
  readonly url: string
  readonly token: string
  readonly pid: number
  /** Tells this publication from every other one. */
  readonly nonce: string
  /** Of this package. */
  readonly version: string
  /** ISO 8601, UTC. */
  readonly startedAt: string
}

export const endpointFileName = 'dsh-mcp-endpoint.json'

/** Holds the token between runs; deleting it makes the next start draw a new one. */
export const tokenFileName = 'dsh-mcp-token'

/** 256 random bits. */
const tokenPattern = /^[A-Za-z0-9_-]{43}$/

/**
 * The token of this home: the one of the run before, else a new one. Two harnesses that start at once agree on one.
 *
 * @throws when the directory cannot be written and holds no token.
 */
export function loadToken(directory: string): string {
  const path = join(directory, tokenFileName)
  const kept = readToken(path)
  if (kept !== undefined) return kept
  ensureDirectory(directory)
  const token = randomBytes(32).toString('base64url')
  const draft = writeDraft(path, `${token}\n`)
  try {
    // Unlike a rename, a link never replaces what another process has just put there.
    linkSync(draft, path)
    return token
  } catch {
    const other = readToken(path)
    if (other !== undefined) return other
    // No token stands there (emptied or torn), or this file system has no links.
    renameSync(draft, path)
    return token
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Writes the endpoint file, replacing another one as a whole. Returns what removes it again, but only this publication. */
export function publishEndpoint(directory: string, record: Omit<EndpointRecord, 'nonce'>): () => void {
  const path = join(directory, endpointFileName)
  const nonce = randomUUID()
  ensureDirectory(directory)
  removeLeftDrafts(directory)
  renameSync(writeDraft(path, `${JSON.stringify({ ...record, nonce } satisfies EndpointRecord, null, 2)}\n`), path)
  return () => {
    if (readNonce(path) === nonce) rmSync(path, { force: true })
  }
}

/** Deletes drafts, which hold the token, of processes that were killed before they renamed them. */
function removeLeftDrafts(directory: string): void {
  for (const name of readdirSync(directory)) {
    const [, pid] = /^dsh-mcp-(?:endpoint\.json|token)\.(\d+)\.[0-9a-f-]{36}\.tmp$/.exec(name) ?? []
    if (pid !== undefined && isGone(Number(pid))) rmSync(join(directory, name), { force: true })
  }
}

function readToken(path: string): string | undefined {
  const token = readText(path)?.trim()
  if (token === undefined || !tokenPattern.test(token)) return undefined
  restrict(path, 0o600)
  return token
}

function readNonce(path: string): unknown {
  try {
    const record: unknown = JSON.parse(readText(path) ?? 'null')
    return typeof record === 'object' && record !== null ? (record as Partial<EndpointRecord>).nonce : undefined
  } catch {
    // Not ours: this file is only ever replaced as a whole.
    return undefined
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Absent or unreadable: as good as absent, and writing will say why.
    return undefined
  }
}

function ensureDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  restrict(directory, 0o700)
}

/** Takes rights away that an earlier umask or a copy gave. */
function restrict(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch {
    // Another owner's file, or a file system without modes: reading it worked, and that is what was asked.
  }
}

function writeDraft(path: string, text: string): string {
  const draft = `${path}.${process.pid}.${randomUUID()}.tmp`
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
  return draft
}
