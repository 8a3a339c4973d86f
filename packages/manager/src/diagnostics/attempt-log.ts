import { printable } from '@dsh-mcp/host'
import { redact } from './redact.ts'

/** The step an entry tells of. */
export type AttemptPhase =
  | 'discovery'
  | 'register'
  | 'authorize'
  | 'token-exchange'
  | 'refresh'
  | 'revoke'
  | 'initialize'
  | 'tools/list'
  | 'tools/call'
  | 'stream'
  | 'session'
  | 'stdio-spawn'
  | 'stdio-exit'

/** One step as it is written down. */
export interface Attempt {
  readonly phase: AttemptPhase
  readonly url?: string | URL
  /** HTTP status, or exit code for `stdio-exit`; 0 or absent when there is none. */
  readonly status?: number
  readonly detail?: string
}

/** One step as it is kept and shown: redacted and without control characters, `url` and `detail` at most 500 characters. */
export interface AttemptEntry {
  /** Epoch milliseconds. */
  readonly at: number
  readonly phase: AttemptPhase
  readonly url: string
  readonly status: number
  readonly detail: string
}

/** What happened to one server, newest last: the last twenty steps, in memory only. */
export interface AttemptLog {
  /** Redacts and keeps an entry. Never throws. */
  record(attempt: Attempt): void
  entries(): readonly AttemptEntry[]
  /** Makes a value known as secret: it never appears in an entry or in {@link AttemptLog.redact}ed text from now on. */
  addSecret(value: string | undefined): void
  /** Redacts a text with everything known of this server, for messages that leave by another way. */
  redact(text: string): string
}

/** The logs of all servers, by server id. */
export interface AttemptLogs {
  /** The log of a server, made at first use. */
  of(serverId: string): AttemptLog
  /** Drops the log of a deleted server. */
  forget(serverId: string): void
}

const keptEntries = 20
const keptSecrets = 200
const longestText = 500

function cut(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText - 1)}…`
}

/** One log. `now` gives epoch milliseconds. */
export function createAttemptLog(now: () => number = Date.now): AttemptLog {
  let kept: AttemptEntry[] = []
  const secrets = new Set<string>()
  const clean = (text: string): string => redact(text, secrets)
  return {
    record(attempt) {
      const entry: AttemptEntry = {
        at: now(),
        phase: attempt.phase,
        url: cut(printable(clean(attempt.url === undefined ? '' : String(attempt.url)))),
        status: attempt.status ?? 0,
        detail: cut(printable(clean(attempt.detail ?? ''))),
      }
      kept = [...kept, entry].slice(-keptEntries)
    },
    entries: () => kept,
    addSecret(value) {
      if (value === undefined || value === '') return
      // The newest stay: a rotated token is of no use to anyone long before it is pushed out.
      secrets.delete(value)
      secrets.add(value)
      for (const oldest of secrets) {
        if (secrets.size <= keptSecrets) break
        secrets.delete(oldest)
      }
    },
    redact: clean,
  }
}

/** All logs of a plugin instance. */
export function createAttemptLogs(now: () => number = Date.now): AttemptLogs {
  const logs = new Map<string, AttemptLog>()
  return {
    of(serverId) {
      let log = logs.get(serverId)
      if (log === undefined) {
        log = createAttemptLog(now)
        logs.set(serverId, log)
      }
      return log
    },
    forget: (serverId) => void logs.delete(serverId),
  }
}
