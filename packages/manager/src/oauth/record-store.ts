import type { HttpServer, OAuthRecord, StateFile } from '../config/index.ts'
import { OAuthError } from './errors.ts'

/** Where the OAuth record of one server is kept: in its own record, or in `workspaceTokens` for a workspace's server. */
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

/** The store of one server's record in the state file. */
export function recordStore(state: StateFile, server: Pick<HttpServer, 'id' | 'name' | 'source'>): RecordStore {
  const { source } = server
  const workspaceKey = source.kind === 'workspace' ? `${source.path}\n${server.name}` : undefined

  function current(): OAuthRecord {
    const snapshot = state.current()
    if (workspaceKey !== undefined) return snapshot.workspaceTokens[workspaceKey]?.oauth ?? {}
    const found = snapshot.servers.find(({ id }) => id === server.id)
    return found?.type === 'http' ? (found.oauth ?? {}) : {}
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
          const before: OAuthRecord = isRecord(holder.oauth) ? holder.oauth : {}
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
