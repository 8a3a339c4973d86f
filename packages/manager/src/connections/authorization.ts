/** What a server answered with 401 or 403. */
export interface Challenge {
  readonly status: 401 | 403
  /** The `WWW-Authenticate` field as received; absent when there was none. */
  readonly challenge: string | undefined
  /** The MCP endpoint the request went to. */
  readonly serverUrl: URL
  /** JSON-RPC method of the refused request; absent for the GET stream. */
  readonly method: string | undefined
  /** The token the refused request carried, so that a newer one is not thrown away. */
  readonly token: string | undefined
  /** The request had been repeated after an earlier refusal, and was refused again. */
  readonly repeated?: boolean
  readonly signal: AbortSignal
}

/** What to do after a refusal. */
export type AuthorizationDecision =
  /** Send the request once more, with a fresh {@link Authorization.token}. */
  | { readonly action: 'retry' }
  /** A person has to log in (again). `missingScope` when the login lacks these scopes. */
  | { readonly action: 'needs-auth'; readonly reason: string; readonly missingScope?: string }
  /** Not a matter of login: hand the refusal on as an ordinary failure. */
  | { readonly action: 'fail'; readonly reason?: string }

/**
 * Credentials of one HTTP server. The transport asks for a token before each request and hands over each refusal; it
 * repeats a refused request at most twice.
 */
export interface Authorization {
  /** The bearer token to send, or nothing. Rejects only when `signal` aborts. */
  token(signal: AbortSignal): Promise<string | undefined>
  onUnauthorized(challenge: Challenge): Promise<AuthorizationDecision>
  onForbidden(challenge: Challenge): Promise<AuthorizationDecision>
  /** Why connecting makes no sense yet, if so (for example: nobody has logged in). Checked before each attempt. */
  missing?(): string | undefined
}

/** No `Authorization` field is ever sent; a refusal is an error of the server. */
export const noAuthorization: Authorization = {
  token: async () => undefined,
  onUnauthorized: async () => ({
    action: 'fail',
    reason: 'the server wants a login, but authentication is set to none: choose OAuth or a static token',
  }),
  onForbidden: async () => ({ action: 'fail' }),
}

/** Source of a static bearer token: the variable is read at each use, a token in clear comes from an old file. */
export interface StaticTokenSource {
  readonly tokenEnv?: string
  readonly staticToken?: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** A fixed bearer token, named by environment variable. */
export function staticToken(source: StaticTokenSource): Authorization {
  const read = (): string | undefined => {
    const named = source.tokenEnv === undefined ? undefined : source.environment[source.tokenEnv]
    const value = (named ?? source.staticToken)?.trim()
    return value === '' ? undefined : value
  }
  return {
    token: async () => read(),
    missing: () => {
      if (read() !== undefined) return undefined
      if (source.tokenEnv === undefined) return 'missing token (set the env var)'
      return `missing token (set the env var ${source.tokenEnv} before DSH starts)`
    },
    onUnauthorized: async () => ({
      action: 'needs-auth',
      reason: `the server refused the token${source.tokenEnv === undefined ? '' : ` in ${source.tokenEnv}`} (HTTP 401)`,
    }),
    onForbidden: async () => ({ action: 'fail' }),
  }
}
