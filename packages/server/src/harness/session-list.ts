import { stat } from 'node:fs/promises'
import type { HostServiceContext, ProjectionSnapshot, SessionHeader } from '@dsh-mcp/host'
import { serviceUnavailable } from './failure.ts'
import { presetOf } from './presets.ts'
import type { SessionLogs } from './session-logs.ts'
import type { LookAt, SessionState } from './session-state.ts'
import type { Workspaces } from './workspaces.ts'

/** One session in a list. Times in milliseconds since the Unix epoch; `title` is undefined while it is not known. */
export interface Listed {
  readonly sessionId: string
  readonly title: string | null | undefined
  readonly state: SessionState
  readonly live: boolean
  readonly cwd: string | null
  readonly workspaceId: string | null
  readonly agentPreset: string | null
  readonly parentSessionId: string | null
  readonly origin: string | null
  readonly createdAt: number
  /** Creation or the newest prompt, whichever is later. */
  readonly updatedAt: number
  readonly archived: boolean
}

export interface SessionList {
  /** All sessions, newest first. No log is read. */
  all(signal?: AbortSignal): Promise<readonly Listed[]>
  /** One session of `all`, with its title; the session must exist. */
  one(sessionId: string, signal?: AbortSignal): Promise<Listed>
  /** Fills in the titles that `all` could not know, reading logs where it must. */
  withTitles(rows: readonly Listed[], signal?: AbortSignal): Promise<readonly Listed[]>
}

function lastPromptAt(snapshot: ProjectionSnapshot | undefined): number | undefined {
  const metadata = snapshot?.values.sessionListMetadata
  if (typeof metadata !== 'object' || metadata === null || !('lastPromptAt' in metadata)) return undefined
  return typeof metadata.lastPromptAt === 'number' ? metadata.lastPromptAt : 0
}

function titleIn(snapshot: ProjectionSnapshot | undefined): string | null | undefined {
  const title = snapshot?.values.title
  return typeof title === 'string' || title === null ? title : undefined
}

const concurrency = 16

async function mapLimited<T, R>(values: readonly T[], map: (value: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let offset = 0; offset < values.length; offset += concurrency) {
    results.push(...(await Promise.all(values.slice(offset, offset + concurrency).map(map))))
  }
  return results
}

export function createSessionList(
  ctx: HostServiceContext,
  parts: { readonly logs: SessionLogs; readonly lookAt: LookAt; readonly workspaces: Workspaces },
): SessionList {
  const { logs, lookAt, workspaces } = parts

  interface Surroundings {
    readonly workspaceOf: ReadonlyMap<string, string>
    readonly archived: ReadonlySet<string>
  }

  function row(
    header: SessionHeader,
    rest: Pick<Listed, 'title' | 'state' | 'live' | 'agentPreset' | 'updatedAt'>,
    around: Surroundings,
  ): Listed {
    return {
      sessionId: header.id,
      cwd: header.cwd ?? null,
      workspaceId: around.workspaceOf.get(header.id) ?? null,
      parentSessionId: header.parentSession ?? null,
      origin: header.origin ?? null,
      createdAt: header.createdAt,
      archived: around.archived.has(header.id),
      ...rest,
    }
  }

  async function storedHeaders(signal: AbortSignal | undefined): Promise<readonly SessionHeader[]> {
    const persistence = ctx.get('sessionPersistence')
    if (persistence !== undefined) return persistence.list(signal)
    const query = ctx.get('sessionQuery')
    return query === undefined ? [] : (await query.listSessions(signal)).map((record) => record.header)
  }

  async function storedUpdatedAt(header: SessionHeader, snapshot: ProjectionSnapshot | undefined): Promise<number> {
    const prompted = lastPromptAt(snapshot)
    if (prompted !== undefined) return Math.max(header.createdAt, prompted)
    const path = ctx.get('sessionPersistence')?.locate?.(header)?.path
    if (path === undefined) return header.createdAt
    try {
      return Math.max(header.createdAt, Math.trunc((await stat(path)).mtimeMs))
    } catch {
      // Not written yet, or gone meanwhile.
      return header.createdAt
    }
  }

  function surroundings(): Surroundings {
    return { workspaceOf: workspaces.bySession(), archived: workspaces.archived() }
  }

  function liveRow(sessionId: string, around: Surroundings): Listed | undefined {
    const session = ctx.get('sessions')?.get(sessionId)
    if (session === undefined) return undefined
    const fold = logs.foldOf(session)
    const { header } = session
    return row(
      header,
      {
        title: fold.title ?? null,
        state: lookAt(sessionId).state,
        live: true,
        agentPreset: presetOf({ header, fold }) ?? null,
        updatedAt: Math.max(header.createdAt, fold.lastPromptAt),
      },
      around,
    )
  }

  async function storedRow(header: SessionHeader, around: Surroundings): Promise<Listed> {
    const snapshot = ctx.get('sessionProjectionCache')?.cachedSnapshot(header)
    return row(
      header,
      {
        title: titleIn(snapshot),
        state: 'stored',
        live: false,
        agentPreset: header.agentPreset ?? null,
        updatedAt: await storedUpdatedAt(header, snapshot),
      },
      around,
    )
  }

  async function titled(entry: Listed, signal: AbortSignal | undefined): Promise<Listed> {
    if (entry.title !== undefined) return entry
    try {
      const { fold } = await logs.read(entry.sessionId, signal)
      return { ...entry, title: fold.title ?? null }
    } catch {
      signal?.throwIfAborted()
      // A damaged log is still listed; reading it says what is wrong.
      return { ...entry, title: null }
    }
  }

  return {
    async all(signal) {
      if (ctx.get('sessions') === undefined) throw serviceUnavailable('sessions')
      const around = surroundings()
      const live = ctx.get('sessions')?.list() ?? []
      const known = new Set(live.map((session) => session.id))
      const stored = (await storedHeaders(signal)).filter((header) => !known.has(header.id))
      const rows = await mapLimited(stored, (header) => storedRow(header, around))
      for (const session of live) {
        const found = liveRow(session.id, around)
        if (found !== undefined) rows.push(found)
      }
      return rows.sort((a, b) => b.updatedAt - a.updatedAt || (a.sessionId < b.sessionId ? -1 : 1))
    },
    async one(sessionId, signal) {
      const around = surroundings()
      const live = liveRow(sessionId, around)
      if (live !== undefined) return live
      const view = await logs.read(sessionId, signal)
      const { header, fold } = view
      return row(
        header,
        {
          title: fold.title ?? null,
          state: 'stored',
          live: false,
          agentPreset: presetOf(view) ?? null,
          updatedAt: Math.max(header.createdAt, fold.lastPromptAt),
        },
        around,
      )
    },
    withTitles: (rows, signal) => mapLimited(rows, (entry) => titled(entry, signal)),
  }
}
