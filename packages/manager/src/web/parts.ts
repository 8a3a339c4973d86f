import type { ServerDefinition, StateFile } from '../config/index.ts'
import type { ServerConnection, ServerConnections } from '../connections/index.ts'
import type { AttemptEntry, AttemptLogs } from '../diagnostics/index.ts'
import type { OfferedTools } from '../tools/index.ts'
import type { Workspaces } from '../workspaces/index.ts'
import type { OAuthHealth, ServerView } from './api-types.ts'
import type { FenceSettings } from './fence.ts'

/** Browser login, as the API needs it. */
export interface LoginPort {
  /**
   * Starts a login for a server and gives the address to open. `request` tells which origin the browser used.
   * @throws Error with the stage and what to do next.
   */
  begin(server: ServerDefinition, request: Request): Promise<URL>
  /** Forgets the login of a server. */
  logout(server: ServerDefinition, signal: AbortSignal): Promise<void>
  /** The browser is back. Always an HTML page with status 200; authenticated by the single-use state alone. */
  callback(request: Request): Promise<Response>
  health(server: ServerDefinition): OAuthHealth | undefined
  /** Where a provider sends the browser, for a client registered by hand. */
  callbackUrl(request: Request): string | undefined
}

/** A connection that nothing else knows of, for trying out a definition. */
export interface TrialConnection {
  readonly connection: ServerConnection
  readonly entries: () => readonly AttemptEntry[]
  close(): Promise<void>
}

/** What the HTTP API works on. */
export interface ApiParts {
  readonly state: StateFile
  readonly connections: ServerConnections
  readonly logs: AttemptLogs
  readonly tools: OfferedTools
  readonly workspaces: Workspaces | undefined
  readonly login: LoginPort | undefined
  readonly fence: FenceSettings
  /** Connects to a definition without storing it. */
  readonly tryConnect: (definition: ServerDefinition) => TrialConnection
  /** Servers that the harness's own client runs, to be shown only. */
  readonly builtin: () => readonly ServerView[]
  /** Bytes the three broker tools cost a request, when there is a broker. */
  readonly brokerBytes: () => number | undefined
  readonly askBeforeWorkspaceCommands: () => boolean
  /** Version of this package. */
  readonly version: string
}
