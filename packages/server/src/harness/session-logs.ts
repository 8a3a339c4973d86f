import type { HostServiceContext, Session, SessionEvent, SessionHeader } from '@dsh-mcp/host'
import type { Activity } from './activity.ts'
import { Failure, serviceUnavailable, sessionNotFound } from './failure.ts'
import { createLogFold, foldLog } from './log/fold.ts'
import type { LogFold } from './log/fold.ts'

/** One observation of a session's log. `events` is frozen and its index is the seq. */
export interface LogView {
  readonly header: SessionHeader
  readonly events: readonly SessionEvent[]
  readonly fold: LogFold
  readonly live: Session | undefined
}

/** Reads session logs, never reviving a stored session. */
export interface SessionLogs {
  /** @throws Failure `session_not_found`, `service_unavailable`, `internal` for a log that cannot be read. */
  read(sessionId: string, signal?: AbortSignal): Promise<LogView>
  /** The kept-up fold of a live session. */
  foldOf(session: Session): LogFold
}

function isNotFound(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { readonly code?: unknown }
  return code === 'SESSION_QUERY_SESSION_NOT_FOUND' || /\bnot found\b/.test(error.message)
}

/** Folds only when somebody asks: a page of a long transcript needs no fold. */
function coldView(header: SessionHeader, events: readonly SessionEvent[]): LogView {
  let fold: LogFold | undefined
  return {
    header,
    events,
    get fold() {
      fold ??= foldLog(events)
      return fold
    },
    live: undefined,
  }
}

export function createSessionLogs(ctx: HostServiceContext, activity: Activity): SessionLogs {
  const folds = new WeakMap<Session, LogFold>()

  activity.onEvent((sessionId, event) => {
    const session = ctx.get('sessions')?.get(sessionId)
    const fold = session === undefined ? undefined : folds.get(session)
    if (fold?.nextSeq === event.seq) fold.push(event)
  })

  function foldOf(session: Session): LogFold {
    let fold = folds.get(session)
    if (fold === undefined) folds.set(session, (fold = createLogFold()))
    if (fold.nextSeq < session.seq) {
      const { events } = session
      for (let seq = fold.nextSeq; seq < events.length; seq++) fold.push(events[seq]!)
    }
    return fold
  }

  async function readStored(sessionId: string, signal: AbortSignal | undefined) {
    const persistence = ctx.get('sessionPersistence')
    if (persistence !== undefined) return persistence.inspect(sessionId, signal)
    const query = ctx.get('sessionQuery')
    if (query === undefined) throw serviceUnavailable('sessionQuery')
    const { session, events } = await query.readSession(sessionId)
    return { meta: session, events }
  }

  return {
    foldOf,
    async read(sessionId, signal) {
      const live = ctx.get('sessions')?.get(sessionId)
      if (live !== undefined) return { header: live.header, events: live.events, fold: foldOf(live), live }
      try {
        const { meta, events } = await readStored(sessionId, signal)
        return coldView(meta, events)
      } catch (error) {
        if (error instanceof Failure) throw error
        signal?.throwIfAborted()
        if (isNotFound(error)) throw sessionNotFound(sessionId, error)
        throw new Failure('internal', `the log of session "${sessionId}" cannot be read: ${String(error)}`, {
          hint: 'The stored log may be damaged or written by another harness version; open it in the harness to see more.',
          details: { sessionId },
          cause: error,
        })
      }
    },
  }
}
