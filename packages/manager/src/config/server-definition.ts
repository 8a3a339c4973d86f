/** Where a server was declared: in the state file, for every workspace, or in the file of one workspace. */
export type ServerSource =
  | { readonly kind: 'global' }
  /** `path` is the canonical (real) path of the workspace root. */
  | { readonly kind: 'workspace'; readonly path: string }

/** How an HTTP server is authorized. Anything else in a file reads as `oauth`. */
export type AuthMode = 'oauth' | 'static' | 'none'

/** Who logs in: a person in the browser, or the client by itself (RFC 6749 §4.4). */
export type OAuthGrant = 'authorization_code' | 'client_credentials'

interface CommonServer {
  /** Eleven base64url characters for a global server, `ws-` and 20 hex digits for one of a workspace. */
  readonly id: string
  /** `[A-Za-z0-9_-]{1,32}`, unique over all global servers and every loaded workspace. */
  readonly name: string
  readonly source: ServerSource
  readonly enabled: boolean
  /** Budget of one `tools/call` in milliseconds, an integer of at least 1 000. Absent: the plugin row's, else 60 000. */
  readonly timeout?: number
  /**
   * The record as it stands in the file, unknown keys included. For features that keep fields of their own; the
   * connection is replaced when any of it but `oauth` changes.
   */
  readonly raw: Readonly<Record<string, unknown>>
}

/** A local program that speaks MCP over its standard streams. */
export interface StdioServer extends CommonServer {
  readonly type: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** A server reached by URL: Streamable HTTP, or HTTP+SSE when it speaks only that. */
export interface HttpServer extends CommonServer {
  readonly type: 'http'
  /** May hold `${NAME}` references, so it is a string and not a `URL`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Header name to the name of the environment variable that holds its value. */
  readonly headerEnv: Readonly<Record<string, string>>
  readonly authMode: AuthMode
  /** `static`: name of the environment variable with the bearer token. */
  readonly tokenEnv?: string
  /** `static`: a token in clear in an old file. Still used; goes when the server is saved with `tokenEnv`. */
  readonly staticToken?: string
  /** `oauth`: client registered by hand at the provider. */
  readonly clientId?: string
  readonly clientSecretEnv?: string
  /** `oauth`: scopes to ask for, space-separated. */
  readonly scope?: string
  /** `oauth`: absent reads as `authorization_code`. */
  readonly oauthGrant?: OAuthGrant
  /** `oauth`: `false` leaves the parameter `resource` (RFC 8707) out; some providers refuse it. */
  readonly oauthResource?: boolean
  /** `client_credentials`: name of the variable with a PKCS #8 PEM key to sign assertions with (RFC 7523). */
  readonly privateKeyEnv?: string
  /** Signature algorithm of that key (RFC 7518 §3.1). Absent: `ES256`. */
  readonly privateKeyAlgorithm?: string
  /** `oauth`: what discovery, registration and login left. Of a workspace server it lives in `workspaceTokens`. */
  readonly oauth?: OAuthRecord
}

/** What a person configures of the login; a record keeps these only while `authMode` is `oauth`. */
export const oauthMembers = [
  'clientId',
  'clientSecretEnv',
  'scope',
  'oauthGrant',
  'oauthResource',
  'privateKeyEnv',
  'privateKeyAlgorithm',
] as const satisfies readonly (keyof HttpServer)[]

/** One MCP server the user declared. */
export type ServerDefinition = StdioServer | HttpServer

/** Tokens as stored. `expires_at` is epoch milliseconds, already 60 s early. */
export interface StoredTokens {
  readonly access_token?: string
  /** Empty when the provider gave none. */
  readonly refresh_token?: string
  readonly expires_at?: number
  readonly [key: string]: unknown
}

/** The OAuth state of one server in the state file. Keys not named here are kept as they are. */
export interface OAuthRecord {
  /** Client registered dynamically (RFC 7591). */
  readonly clientId?: string
  /** Redirect URI used at that registration. */
  readonly redirect?: string
  readonly authorizationServer?: string
  readonly resourceMetadataUrl?: string
  readonly issuer?: string
  /** Scopes set by hand; second after the server's own `scope`. */
  readonly scope?: string
  readonly tokens?: StoredTokens
  readonly [key: string]: unknown
}
