import type { HttpServer, OAuthRecord, StateFile } from '../config/index.ts'
import { OAuthError } from './errors.ts'
import { areTokensFor, readRecord } from './record.ts'

/**
 * Where the OAuth record of one server is kept: in its own record, or in `workspaceTokens` for a workspace's server. A login
 * that belongs to another address than the server now has is as good as none, but for the scope set by hand.
 */
export interface RecordStore {
  /** From memory, as of the last read of the file. */
  current(): OAuthRecord
  /** Reads the file now. */
  reload(): Promise<OAuthRecord>
  /**
   * Changes the record under the cross-process lock. `change` gets it as it stands in the file now and returns what it
   * is to be, or the same object to leave it.
   * @throws {OAuthError} `server-gone` when the server was deleted meanwhile.
   */
  update<T>(change: (record: OAuthRecord) => Promise<{ record: OAuthRecord; result: T }>): Promise<T>
}

/** How long a change waits for the lock: a refresh elsewhere may hold it for the whole time limit of its requests. */
const lockWaitMs = 60_000

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The store of one server's record in the state file. `address` gives where the server is, or throws when that cannot be
 * told now.
 */
export function recordStore(
  state: StateFile,
  server: Pick<HttpServer, 'id' | 'name' | 'source'>,
  address: () => URL,
): RecordStore {
  const { source } = server
  const workspaceKey = source.kind === 'workspace' ? `${source.path}\n${server.name}` : undefined
  /** The last record looked at: every request asks. */
  let judged: { readonly record: OAuthRecord; readonly own: OAuthRecord } | undefined

  function isOwn(record: OAuthRecord): boolean {
    if (record.tokens === undefined) return true
    try {
      return areTokensFor(readRecord(record), address(), workspaceKey !== undefined)
    } catch {
      // The address names a variable that is not set: the connection says so, and nothing is sent anywhere.
      return false
    }
  }

  function ownOf(record: OAuthRecord): OAuthRecord {
    if (judged?.record !== record) {
      const bare = record.scope === undefined ? {} : { scope: record.scope }
      judged = { record, own: isOwn(record) ? record : bare }
    }
    return judged.own
  }

  function current(): OAuthRecord {
    const snapshot = state.current()
    if (workspaceKey !== undefined) return ownOf(snapshot.workspaceTokens[workspaceKey]?.oauth ?? {})
    const found = snapshot.servers.find(({ id }) => id === server.id)
    return ownOf(found?.type === 'http' ? (found.oauth ?? {}) : {})
  }

  return {
    current,
    async reload() {
      await state.reload()
      return current()
    },
    update: (change) =>
      state.update(
        async (draft) => {
          let holder: Record<string, unknown> | undefined
          if (workspaceKey === undefined) {
            holder = draft.servers.find(({ id }) => id === server.id)
            if (holder === undefined) {
              throw new OAuthError('server-gone', 'token-exchange', `server "${server.name}" was deleted meanwhile`)
            }
          } else {
            holder = draft.workspaceTokens?.[workspaceKey] ?? {}
          }
          const before = ownOf(isRecord(holder.oauth) ? holder.oauth : {})
          const { record, result } = await change(before)
          if (record === before) return result
          holder.oauth = record
          if (workspaceKey !== undefined) draft.workspaceTokens = { ...draft.workspaceTokens, [workspaceKey]: holder }
          return result
        },
        { waitMs: lockWaitMs },
      ),
  }
}
