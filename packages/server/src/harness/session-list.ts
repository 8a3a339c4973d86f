import type { HostServiceContext, SessionHeader } from '@dsh-mcp/host'
import { serviceUnavailable } from './failure.ts'
import { mapLimited } from './map-limited.ts'
import { presetOf } from './presets.ts'
import type { SessionLogs } from './session-logs.ts'
import type { LookAt, SessionState } from './session-state.ts'
import type { StoredSession, StoredSessions } from './stored-sessions.ts'
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

export function createSessionList(
  ctx: HostServiceContext,
  parts: {
    readonly logs: SessionLogs
    readonly lookAt: LookAt
    readonly stored: StoredSessions
    readonly workspaces: Workspaces
  },
): SessionList {
  const { logs, lookAt, stored, workspaces } = parts

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

  function storedRow({ header, title, updatedAt }: StoredSession, around: Surroundings): Listed {
    const agentPreset = header.agentPreset ?? null
    return row(header, { title, state: 'stored', live: false, agentPreset, updatedAt }, around)
  }

  async function titled(entry: Listed, signal: AbortSignal | undefined): Promise<Listed> {
    if (entry.title !== undefined) return entry
    try {
      const { fold } = await logs.read(entry.sessionId, signal)
      const title = fold.title ?? null
      stored.learnTitle(entry.sessionId, title)
      return { ...entry, title }
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
      const rows = (await stored.all(signal))
        .filter((session) => !known.has(session.header.id))
        .map((session) => storedRow(session, around))
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
