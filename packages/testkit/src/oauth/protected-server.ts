import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { bodyText, listen, sendJson } from './listen.ts'
import type { Certificate, Listening } from './listen.ts'

/** What a token is good for. Nothing: it is refused. */
export interface TokenFacts {
  readonly scopes: readonly string[]
}

/** Options of {@link startProtectedServer}. */
export interface ProtectedServerOptions {
  /** Authorization servers named in the protected-resource metadata; absent: no metadata is served. */
  readonly authorizationServers?: readonly string[]
  /** Checks a token; default: a JWT of the first authorization server with this server's URL as audience. */
  readonly verify?: (token: string) => Promise<TokenFacts | undefined>
  /** `scopes_supported` of the metadata. */
  readonly scopesSupported?: readonly string[]
  /** `scope` of the 401 challenge. */
  readonly challengeScope?: string
  /** Tool name to the scope it needs; a token without it gets a 403 `insufficient_scope`. */
  readonly toolScopes?: Readonly<Record<string, string>>
  /** Tools that answer every call with a 403 without a challenge. */
  readonly forbiddenTools?: readonly string[]
  /** Published resource identifier; default the server's URL. */
  readonly resource?: (serverUrl: string) => string
  /** Handles a request before everything else; true when it answered. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>
  readonly port?: number
  /** Serves over TLS. */
  readonly certificate?: Certificate
}

/** An MCP server (2025-11-25, JSON answers, no session) that wants a bearer token. Tools: `whoami` and those of `toolScopes`. */
export interface ProtectedServer extends Listening {
  readonly url: string
  /** The protected-resource metadata URL in the challenge. */
  readonly metadataUrl: string
  /** Paths of all requests, oldest first. */
  readonly paths: string[]
  /** `Authorization` fields of MCP requests, oldest first. */
  readonly authorizations: (string | undefined)[]
  /** Refuses every token seen up to now with 401, whatever its own expiry. */
  expireTokens(): void
  /** Successful tool calls. */
  calls: number
  authorizationServers: readonly string[]
}

interface RpcRequest {
  readonly id?: number | string
  readonly method: string
  readonly params?: { readonly name?: string; readonly protocolVersion?: string }
}

/** Starts the server. */
export async function startProtectedServer(options: ProtectedServerOptions = {}): Promise<ProtectedServer> {
  const seen = new Set<string>()
  const expired = new Set<string>()
  const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>()

  async function verifyJwt(token: string): Promise<TokenFacts | undefined> {
    const [issuer] = server.authorizationServers
    if (issuer === undefined) return undefined
    const keys = keySets.get(issuer) ?? createRemoteJWKSet(new URL('/jwks', issuer))
    keySets.set(issuer, keys)
    try {
      const audience = options.resource?.(server.url) ?? server.url
      const { payload } = await jwtVerify(token, keys, { issuer, audience })
      return { scopes: typeof payload.scope === 'string' ? payload.scope.split(' ') : [] }
    } catch {
      // Expired, foreign or forged: all the same to the caller.
      return undefined
    }
  }

  async function factsOf(token: string | undefined): Promise<TokenFacts | undefined> {
    if (token === undefined || expired.has(token)) return undefined
    seen.add(token)
    return (options.verify ?? verifyJwt)(token)
  }

  function challenge(extra: string): string {
    const metadata = options.authorizationServers === undefined ? '' : ` resource_metadata="${server.metadataUrl}",`
    return `Bearer${metadata} ${extra}`.replace(/,\s*$/, '')
  }

  function refuse(response: ServerResponse): void {
    const scope = options.challengeScope === undefined ? '' : `scope="${options.challengeScope}", `
    sendJson(
      response,
      401,
      { error: 'invalid_token' },
      { 'www-authenticate': challenge(`${scope}error="invalid_token"`) },
    )
  }

  async function mcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization } = request.headers
    server.authorizations.push(authorization)
    const text = await bodyText(request)
    const facts = await factsOf(/^Bearer (.+)$/.exec(authorization ?? '')?.[1])
    if (facts === undefined) return refuse(response)
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const rpc = JSON.parse(text) as RpcRequest
    if (rpc.id === undefined) return void response.writeHead(202).end()
    const reply = (result: unknown) => sendJson(response, 200, { jsonrpc: '2.0', id: rpc.id, result })
    const tools = ['whoami', ...Object.keys(options.toolScopes ?? {}), ...(options.forbiddenTools ?? [])]
    switch (rpc.method) {
      case 'initialize':
        return reply({
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'protected', version: '1.0.0' },
        })
      case 'tools/list':
        return reply({
          tools: tools.map((name) => ({ name, description: `Tool ${name}`, inputSchema: { type: 'object' } })),
        })
      case 'tools/call': {
        if (options.forbiddenTools?.includes(rpc.params?.name ?? '') === true) {
          return void response.writeHead(403).end('this account may not')
        }
        const needed = options.toolScopes?.[rpc.params?.name ?? '']
        if (needed !== undefined && !facts.scopes.includes(needed)) {
          const field = challenge(`error="insufficient_scope", scope="${needed}"`)
          return sendJson(response, 403, { error: 'insufficient_scope' }, { 'www-authenticate': field })
        }
        server.calls++
        return reply({ content: [{ type: 'text', text: `scopes: ${facts.scopes.join(' ')}` }] })
      }
      default:
        return sendJson(response, 200, {
          jsonrpc: '2.0',
          id: rpc.id,
          error: { code: -32601, message: 'Method not found' },
        })
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    server.paths.push(request.url ?? '')
    if ((await options.intercept?.(request, response)) === true) return
    if (request.url === '/mcp') return mcp(request, response)
    if (server.authorizationServers.length > 0 && request.url === '/.well-known/oauth-protected-resource/mcp') {
      return sendJson(response, 200, {
        resource: options.resource?.(server.url) ?? server.url,
        authorization_servers: server.authorizationServers,
        ...(options.scopesSupported !== undefined && { scopes_supported: options.scopesSupported }),
      })
    }
    response.writeHead(404).end()
  }

  const listening = await listen(
    (request, response) => {
      handle(request, response).catch((error: unknown) => {
        if (!response.headersSent) response.writeHead(500)
        response.end(String(error))
      })
    },
    options.port,
    options.certificate,
  )
  const server: ProtectedServer = {
    ...listening,
    url: `${listening.origin}/mcp`,
    metadataUrl: `${listening.origin}/.well-known/oauth-protected-resource/mcp`,
    paths: [],
    authorizations: [],
    calls: 0,
    authorizationServers: options.authorizationServers ?? [],
    expireTokens() {
      for (const token of seen) expired.add(token)
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
  return server
}
