import { stat } from 'node:fs/promises'
import type { HostServiceContext, ProjectionSnapshot, SessionHeader } from '@dsh-mcp/host'
import { mapLimited } from './map-limited.ts'

/** What is known of a stored session without reading its log. `updatedAt` in milliseconds since the Unix epoch. */
export interface StoredSession {
  readonly header: SessionHeader
  readonly updatedAt: number
  /** Undefined while it is not known. */
  readonly title: string | null | undefined
}

/**
 * The sessions of the host's store. Listing them costs the host one file each (a second for 2000 of them), and their
 * headers never change; so they are listed once and again in the background when the answer is older than half a minute,
 * for what other processes store, or when a session of this process has ended.
 */
export interface StoredSessions {
  all(signal?: AbortSignal): Promise<readonly StoredSession[]>
  /** Undefined until they have been listed once. */
  known(): readonly StoredSession[] | undefined
  /** Remembers a title that had to be read from the log. */
  learnTitle(sessionId: string, title: string | null): void
}

const freshForMs = 30_000

function lastPromptAt(snapshot: ProjectionSnapshot | undefined): number | undefined {
  const metadata = snapshot?.values.sessionListMetadata
  if (typeof metadata !== 'object' || metadata === null || !('lastPromptAt' in metadata)) return undefined
  return typeof metadata.lastPromptAt === 'number' ? metadata.lastPromptAt : 0
}

function titleIn(snapshot: ProjectionSnapshot | undefined): string | null | undefined {
  const title = snapshot?.values.title
  return typeof title === 'string' || title === null ? title : undefined
}

export function createStoredSessions(ctx: HostServiceContext): StoredSessions {
  let sessions: ReadonlyMap<string, StoredSession> | undefined
  let listedAt = 0
  let listing: Promise<ReadonlyMap<string, StoredSession>> | undefined
  /** Sessions that ended here since the last listing: what was known of them is old. */
  const ended = new Set<string>()

  async function headers(): Promise<readonly SessionHeader[]> {
    const persistence = ctx.get('sessionPersistence')
    if (persistence !== undefined) return persistence.list()
    const query = ctx.get('sessionQuery')
    return query === undefined ? [] : (await query.listSessions()).map((record) => record.header)
  }

  async function writtenAt(header: SessionHeader): Promise<number> {
    const path = ctx.get('sessionPersistence')?.locate?.(header)?.path
    if (path === undefined) return header.createdAt
    try {
      return Math.trunc((await stat(path)).mtimeMs)
    } catch {
      // Gone meanwhile.
      return header.createdAt
    }
  }

  async function describe(header: SessionHeader): Promise<StoredSession> {
    const snapshot = ctx.get('sessionProjectionCache')?.cachedSnapshot(header)
    const newest = lastPromptAt(snapshot) ?? (await writtenAt(header))
    return { header, updatedAt: Math.max(header.createdAt, newest), title: titleIn(snapshot) }
  }

  async function list(): Promise<ReadonlyMap<string, StoredSession>> {
    const old = new Set(ended)
    const described = await mapLimited(await headers(), (header) => {
      const known = sessions?.get(header.id)
      return known === undefined || old.has(header.id) ? describe(header) : known
    })
    for (const id of old) ended.delete(id)
    sessions = new Map(described.map((session) => [session.header.id, session]))
    listedAt = performance.now()
    return sessions
  }

  function refresh(): Promise<ReadonlyMap<string, StoredSession>> {
    listing ??= list().finally(() => (listing = undefined))
    return listing
  }

  async function addEnded(header: SessionHeader): Promise<void> {
    ended.add(header.id)
    listedAt = -Infinity
    const session = await describe(header)
    if (sessions !== undefined) sessions = new Map(sessions).set(header.id, session)
  }

  ctx.on('session/disposed', (session) => {
    void addEnded(session.header)
  })
  // Nobody waits for the first listing; a failure shows when somebody does.
  void refresh().catch(() => {})

  return {
    async all(signal) {
      signal?.throwIfAborted()
      if (sessions === undefined) return [...(await refresh()).values()]
      if (performance.now() - listedAt > freshForMs) refresh().catch(() => {})
      return [...sessions.values()]
    },
    known: () => (sessions === undefined ? undefined : [...sessions.values()]),
    learnTitle(sessionId, title) {
      const known = sessions?.get(sessionId)
      if (known === undefined || sessions === undefined) return
      sessions = new Map(sessions).set(sessionId, { ...known, title })
    },
  }
}
