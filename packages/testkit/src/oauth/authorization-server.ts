import type { RequestListener } from 'node:http'
import { Provider } from 'oidc-provider'
import { browse } from './browse.ts'
import type { BrowseOptions } from './browse.ts'
import { listen } from './listen.ts'
import type { Certificate, Listening } from './listen.ts'

/** How the authorization server behaves. */
export interface AuthorizationServerOptions {
  /** Life of access tokens in seconds; default 3600. */
  readonly accessTokenSeconds?: number
  /** Scopes the server knows besides `openid` and `offline_access`; default `mcp:read mcp:write`. */
  readonly scopes?: readonly string[]
  /** Clients registered by hand. */
  readonly clients?: readonly Readonly<Record<string, unknown>>[]
  /** Default true. */
  readonly dynamicRegistration?: boolean
  /** Each refresh spends the refresh token and issues another; default true. */
  readonly rotateRefreshTokens?: boolean
  /** Serves Client ID Metadata Documents: the document for a client id, instead of fetching it. */
  readonly clientDocument?: (clientId: string) => Readonly<Record<string, unknown>> | undefined
  readonly port?: number
  /** Serves over TLS. */
  readonly certificate?: Certificate
}

/** One request to the token endpoint and what became of it. */
export interface TokenRequest {
  readonly grant: string
  readonly resource: string | undefined
  readonly refreshToken: string | undefined
  readonly ok: boolean
  readonly error: string | undefined
}

/** A real authorization server (oidc-provider): PKCE forced, refresh tokens rotated by default, reuse revokes the whole login. */
export interface AuthorizationServer extends Listening {
  /** Requests to the token endpoint, oldest first. */
  readonly tokenRequests: TokenRequest[]
  /** Authorization requests' parameters, oldest first. */
  readonly authorizationRequests: Readonly<Record<string, string | undefined>>[]
  /** Clients registered dynamically. */
  registrations: number
  revocations: number
  /** Answers every request with this status while set. */
  outage: number | undefined
  /** Requests answered with an outage so far. */
  turnedAway: number
  /**
   * While set, token requests end in silence: at the door (`request`: nothing is granted) or with their answer ready and
   * never sent (`answer`: what was granted stays granted).
   */
  holdTokens: 'request' | 'answer' | undefined
  /** Token requests held so far. */
  held: number
  /** Signs in and consents; resolves with the callback URL, not visited. */
  login(authorizeUrl: string | URL, options?: BrowseOptions): Promise<URL>
}

/** Starts the server. Its issuer is its origin. */
export async function startAuthorizationServer(options: AuthorizationServerOptions = {}): Promise<AuthorizationServer> {
  const scopes = options.scopes ?? ['mcp:read', 'mcp:write']
  let handler: RequestListener = (_, response) => void response.writeHead(503).end()
  const listening = await listen(
    (request, response) => {
      if (server.outage !== undefined) {
        server.turnedAway++
        response.writeHead(server.outage, { 'content-type': 'text/plain' }).end('outage')
        return
      }
      if (server.holdTokens !== undefined && request.url === '/token') {
        if (server.holdTokens === 'request') return void server.held++
        response.end = () => {
          server.held++
          return response
        }
      }
      handler(request, response)
    },
    options.port,
    options.certificate,
  )
  const provider = new Provider(listening.origin, {
    clients: options.clients ?? [],
    scopes: ['openid', 'offline_access', ...scopes],
    pkce: { required: () => true },
    rotateRefreshToken: options.rotateRefreshTokens ?? true,
    issueRefreshToken: () => true,
    conformIdTokenClaims: true,
    cookies: { keys: ['loopback tests only'] },
    ttl: {
      AccessToken: options.accessTokenSeconds ?? 3600,
      Grant: 86_400,
      IdToken: 3600,
      Interaction: 600,
      RefreshToken: 86_400,
      Session: 86_400,
      ClientCredentials: options.accessTokenSeconds ?? 3600,
    },
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    features: {
      devInteractions: { enabled: true },
      clientCredentials: { enabled: true },
      revocation: { enabled: true, allowedPolicy: () => true },
      registration: { enabled: options.dynamicRegistration !== false },
      clientIdMetadataDocument: {
        enabled: options.clientDocument !== undefined,
        ack: 'draft-02',
      },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: scopes.join(' '),
          audience: resource,
          accessTokenTTL: options.accessTokenSeconds ?? 3600,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
        useGrantedResource: () => true,
      },
    },
    ...(options.clientDocument !== undefined && {
      fetch: async (url: string | URL) => {
        const document = options.clientDocument?.(String(url))
        return new Response(JSON.stringify(document ?? {}), {
          status: document === undefined ? 404 : 200,
          headers: { 'content-type': 'application/json' },
        })
      },
    }),
  })
  const server: AuthorizationServer = {
    ...listening,
    tokenRequests: [],
    authorizationRequests: [],
    registrations: 0,
    revocations: 0,
    holdTokens: undefined,
    held: 0,
    outage: undefined,
    turnedAway: 0,
    login: (authorizeUrl, browsing) => browse(authorizeUrl, (url) => url.origin !== listening.origin, browsing),
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
  const noteToken =
    (ok: boolean) => (context: { oidc?: { params?: Readonly<Record<string, string | undefined>> } }, error?: Error) => {
      const parameters = context.oidc?.params ?? {}
      server.tokenRequests.push({
        grant: parameters.grant_type ?? '',
        resource: parameters.resource,
        refreshToken: parameters.refresh_token,
        ok,
        error: error?.message,
      })
    }
  provider.on('grant.success', noteToken(true))
  provider.on('grant.error', noteToken(false))
  provider.on('registration_create.success', () => void server.registrations++)
  provider.on('token.revoked', () => void server.revocations++)
  provider.on('refresh_token.destroyed', () => void server.revocations++)
  provider.on('interaction.started', (context) => void server.authorizationRequests.push({ ...context.oidc?.params }))
  handler = provider.callback()
  return server
}
