import type { OAuthRecord, ServerDefinition } from './server-definition.ts'

/** What the state file says, parsed. Never changes; a new one comes with each change of the file. */
export interface StateSnapshot {
  /** Valid global servers in file order. Invalid entries stay in the file and are told of in `problems`. */
  readonly servers: readonly ServerDefinition[]
  /** Canonical workspace path + `\n` + server name → its OAuth record. */
  readonly workspaceTokens: Readonly<Record<string, { readonly oauth?: OAuthRecord; readonly [key: string]: unknown }>>
  readonly onDemandToolInjection: boolean
  /** Canonical workspace path → hashes of what a person allowed its file to do. */
  readonly workspaceConsents: Readonly<Record<string, readonly string[]>>
  /** Canonical workspace path → hashes of what a person refused. Tells the refused from what was never answered. */
  readonly workspaceRefusals: Readonly<Record<string, readonly string[]>>
  /** One line each, ready to be shown: entries left out, a file that cannot be read, leftovers worth a look. */
  readonly problems: readonly string[]
}

/** A server as it stands in the file: any JSON object. */
export type StateServerRecord = Record<string, unknown>

/** The document of the state file while it is being changed. Unknown keys are there too and stay. */
export interface StateDraft {
  servers: StateServerRecord[]
  workspaceTokens?: Record<string, Record<string, unknown>>
  onDemandToolInjection?: boolean
  workspaceConsents?: Record<string, string[]>
  workspaceRefusals?: Record<string, string[]>
  [key: string]: unknown
}

/** Options of {@link StateFile.update}. */
export interface UpdateOptions {
  readonly signal?: AbortSignal
  /** How long to wait for the lock, in milliseconds; default 15 000. */
  readonly waitMs?: number
}

/** Machine-readable cause of a failed read or write of the state file. */
export type StateFileErrorCode = 'invalid' | 'locked' | 'reclaim-needed' | 'io' | 'aborted'

/** The state file could not be read or written; the message says what to do. Nothing was changed. */
export class StateFileError extends Error {
  readonly code: StateFileErrorCode
  constructor(code: StateFileErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StateFileError'
    this.code = code
  }
}

/** `$DSH_HOME/mcp-manager.json`: servers, OAuth records and tokens, switches. Also edited by hand and by other processes. */
export interface StateFile {
  /** Absolute path of the file. */
  readonly path: string
  /** The last good content, from memory. */
  current(): StateSnapshot
  /** Reads the file now and tells subscribers if it changed. Never rejects: problems are in the snapshot. */
  reload(): Promise<StateSnapshot>
  /** Told of each change, whoever made it. Returns the way to unsubscribe. */
  subscribe(listener: (snapshot: StateSnapshot, before: StateSnapshot) => void): () => void
  /**
   * Changes the file. Under the cross-process lock, and in turn within this process: reads the file afresh, hands the
   * document to `change`, writes it if it differs (temporary file, fsync, rename, mode 0600). `change` must touch only
   * what it means to change, so that edits of others survive; it may be asynchronous, and the lock is held meanwhile.
   * When it throws, nothing is written.
   * @throws {StateFileError} the file is invalid (it is never overwritten), locked for too long, or cannot be written.
   */
  update<T>(change: (draft: StateDraft) => T | Promise<T>, options?: UpdateOptions): Promise<T>
  /** Stops watching, waits for writes under way. */
  close(): Promise<void>
}
