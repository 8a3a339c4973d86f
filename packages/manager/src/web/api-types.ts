/**
 * The JSON of the HTTP API, as the server writes it and the page reads it. No imports: this file is compiled for both
 * sides. All paths are below `/mcp-manager/api`. Times are epoch milliseconds, sizes are bytes.
 */

/** State of a server as shown to people. */
export type ServerStatus =
  | 'disconnected'
  | 'connecting'
  | 'connected'
  | 'needs-auth'
  | 'authorizing'
  | 'error'
  | 'disabled'
  | 'conflict'
  | 'configured'

/** What is known of a login: times and codes, never a token. */
export interface OAuthHealth {
  readonly expiresAt: number | null
  readonly needsReauth: boolean
  readonly lastRefreshAt: number | null
  readonly lastRefreshError: string | null
  readonly lastToolOkAt: number | null
}

/** A stdio command of a workspace file that starts only after a person allowed it. */
export interface ConsentView {
  readonly state: 'asked' | 'allowed' | 'refused'
  /** The exact command line that would start: program, arguments, names of the variables. */
  readonly command: string
  readonly args: readonly string[]
  readonly environment: readonly string[]
  /** Changes with anything the question is about, values of variables included; give it back with the answer. */
  readonly hash: string
}

/** Fields of every server. Values of `env` and `headers` are the mask `••••` wherever they could be secret. */
export interface ServerView {
  readonly id: string
  readonly name: string
  readonly type: 'http' | 'stdio'
  /** `builtin`: run by a row of the harness's own client, shown read-only. Absent reads as `global`. */
  readonly source?: 'global' | 'workspace' | 'builtin'
  readonly enabled: boolean
  readonly status: ServerStatus
  readonly toolCount: number
  /** One redacted line, or null. */
  readonly error: string | null
  /** With `needs-auth`: the login lacks these scopes. With `connected`: a tool call waits for a login that grants them. */
  readonly missingScope?: string
  /** With `error`: when it is tried again. */
  readonly retryAt?: number
  readonly transport?: 'stdio' | 'streamable-http' | 'http-sse'
  readonly era?: 'legacy' | 'modern'
  readonly protocolVersion?: string
  /** Why this transport and era. */
  readonly connectionReason?: string
  readonly since?: number
  /** Bytes of the tool schemas that a model request carries for this server; null while unknown. */
  readonly schemaBytes?: number | null
  /** Tools that could not be offered. */
  readonly quarantinedCount?: number
  /** Budget of one tool call in milliseconds, when set on this server. */
  readonly timeout?: number
  readonly oauth?: OAuthHealth
  readonly consent?: ConsentView

  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string

  readonly url?: string
  readonly authMode?: 'oauth' | 'static' | 'none'
  readonly headers?: Readonly<Record<string, string>>
  readonly headerEnv?: Readonly<Record<string, string>>
  readonly tokenEnv?: string
  readonly clientId?: string
  readonly clientSecretEnv?: string
  readonly scope?: string
  /** Who logs in: a person in the browser, or the client by itself. This and the next three only with `authMode` `oauth`. */
  readonly oauthGrant?: 'authorization_code' | 'client_credentials'
  /** `false`: the parameter `resource` is not sent. */
  readonly oauthResource?: boolean
  /** Name of the variable with the private key; the key itself is never shown. */
  readonly privateKeyEnv?: string
  /** Empty: the default, `ES256`. */
  readonly privateKeyAlgorithm?: string
}

/** A server as a request left it. */
export interface ServerReply {
  readonly server: ServerView
  /** Values that were not used, in words. */
  readonly notes?: readonly string[]
}

/** `GET /servers` */
export interface ServersReply {
  readonly servers: readonly ServerView[]
  /** One line each: entries of the state file left out, a file that cannot be read. */
  readonly problems?: readonly string[]
}

/** One workspace: `GET /workspaces` and every change of one. */
export interface WorkspaceView {
  readonly path: string
  readonly servers: readonly ServerView[]
  /** Global names hidden here by the old key. */
  readonly exclude: readonly string[]
  /** Global and local names switched off here. */
  readonly disabled?: readonly string[]
  readonly error: string | null
  /** One line each: entries of the file left out. */
  readonly problems?: readonly string[]
}

/** `GET /workspaces` */
export interface WorkspacesReply {
  readonly workspaces: readonly WorkspaceView[]
}

/** `GET /settings`, `POST /settings/on-demand` */
export interface SettingsReply {
  readonly onDemandToolInjection: boolean
  /** Bytes of all MCP tool schemas sent directly, and of the three broker tools. */
  readonly directBytes?: number
  readonly brokerBytes?: number
  readonly askBeforeWorkspaceCommands?: boolean
  /** Where the browser comes back after a login, for people who register a client by hand. */
  readonly callbackUrl?: string
}

/** `GET /ping` */
export interface PingReply {
  readonly ok: true
  readonly version: number
  readonly stdio: true
  readonly workspace: true
  readonly onDemandTools: true
}

/** One tool of a server: `GET /servers/:id/tools`. */
export interface ToolView {
  /** The server's own name. */
  readonly name: string
  /** The name the model sees. */
  readonly publicName: string
  readonly title?: string
  readonly description: string
  /** The schema the model sees. */
  readonly inputSchema: unknown
  readonly enabled: boolean
  readonly bytes: number
  /** Set when the tool cannot be offered: why. */
  readonly quarantined?: string
}

/** `GET /servers/:id/tools`, `POST /servers/:id/tools` */
export interface ToolsReply {
  readonly tools: readonly ToolView[]
}

/** `POST /servers/:id/try` */
export interface TryReply {
  readonly isError: boolean
  /** The blocks as the model would see them. `data` is base64. */
  readonly content: readonly (
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'image'; readonly mimeType: string; readonly data: string }
  )[]
  readonly durationMs: number
}

/** One step of the attempt log: `GET /servers/:id/logs`. */
export interface LogEntry {
  readonly at: number
  readonly phase: string
  readonly url: string
  readonly status: number
  readonly detail: string
}

/** `GET /servers/:id/logs` */
export interface LogsReply {
  readonly logs: readonly LogEntry[]
}

/** `POST /servers/test`: connects with the given fields, stores nothing. */
export interface TestReply {
  readonly ok: boolean
  readonly status: ServerStatus
  /** What happened, in one redacted line. */
  readonly reason: string
  readonly toolCount: number
  readonly tools: readonly string[]
  readonly durationMs: number
  readonly logs: readonly LogEntry[]
}

/** One server found in a pasted or chosen file. */
export interface ImportEntry {
  readonly name: string
  readonly definition: Readonly<Record<string, unknown>>
  /** One line: what would start or be called. Secrets masked. */
  readonly summary: string
  /** A server of this name exists already. */
  readonly taken: boolean
  /** Why it cannot be imported, when it cannot. */
  readonly problem?: string
}

/** `POST /import/preview` */
export interface ImportPreviewReply {
  /** `claude-desktop`, `claude-code`, `cursor`, `vscode`, `codex` or `mcp-servers`. */
  readonly format: string
  readonly entries: readonly ImportEntry[]
}

/** `POST /import` */
export interface ImportReply {
  readonly results: readonly { readonly name: string; readonly ok: boolean; readonly error?: string }[]
}

/** `GET /export`: the global servers, with references in place of the values of `env` and `headers`. */
export interface ExportReply {
  readonly mcpServers: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Any refusal or failure. */
export interface ErrorReply {
  readonly error: string
  /** The field of the request that is wrong, when one is. */
  readonly field?: string
  /** When a login failed: what failed and what to do next, in Chinese. */
  readonly chinese?: string
}

/**
 * `GET /events`: a stream of server-sent events. Each `data` is one of these; the first is always `hello`, after which the
 * page reads everything anew.
 */
export type PageEvent =
  | { readonly kind: 'hello'; readonly version: string }
  | { readonly kind: 'server'; readonly server: ServerView }
  | { readonly kind: 'servers' }
  | { readonly kind: 'workspaces' }
  | { readonly kind: 'settings' }
  | { readonly kind: 'tools'; readonly id: string }
