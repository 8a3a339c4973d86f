import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyText, listen, sendJson } from './listen.ts'
import type { Listening } from './listen.ts'

/** A request as a hook sees it. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly form: URLSearchParams
  readonly authorization: string | undefined
}

/** How the stub departs from a plain authorization server. */
export interface Quirks {
  /** Path of the issuer, as GitHub has `/login/oauth`; default none. */
  readonly issuerPath?: string
  /** Changes to the metadata document; a member set to `undefined` is left out. */
  readonly metadata?: (origin: string) => Readonly<Record<string, unknown>>
  /** Answers instead of the server; true when it did. */
  readonly intercept?: (
    request: SeenRequest,
    response: ServerResponse,
    server: QuirkyAuthorizationServer,
  ) => boolean | Promise<boolean>
  /** Known clients and their secrets; `undefined`: a public client. Absent: every client is known. */
  readonly clients?: Readonly<Record<string, string | undefined>>
  /** Offers dynamic registration; default false. */
  readonly registration?: boolean
  /** Seconds; absent: tokens name no life, as GitHub's. */
  readonly expiresIn?: number
  /** Gives refresh tokens; default true. */
  readonly refreshTokens?: boolean
  /** Extra parameters of the callback, such as a foreign `iss`. */
  readonly callback?: Readonly<Record<string, string>>
}

/** A stub authorization server for behaviours a real one does not show. It asks nobody: every authorization is granted. */
export interface QuirkyAuthorizationServer extends Listening {
  readonly issuer: string
  readonly requests: SeenRequest[]
  /** Scopes of a token it issued and still honours. */
  scopesOf(token: string): readonly string[] | undefined
  /** Forgets all dynamically registered clients. */
  forgetClients(): void
  /** Visits an authorize URL and resolves with the callback URL, not visited. */
  login(authorizeUrl: string | URL): Promise<URL>
  requestsTo(path: string): SeenRequest[]
}

interface Grant {
  readonly scope: string
  readonly clientId: string
  readonly challenge?: string
  readonly redirect?: string
}

/** Starts the stub. */
export async function startQuirkyAuthorizationServer(quirks: Quirks = {}): Promise<QuirkyAuthorizationServer> {
  const codes = new Map<string, Grant>()
  const access = new Map<string, Grant>()
  const refresh = new Map<string, Grant>()
  const registered = new Map<string, string | undefined>()
  const random = () => randomBytes(18).toString('base64url')
  const issuerPath = quirks.issuerPath ?? ''

  function metadata(): Record<string, unknown> {
    const document: Record<string, unknown> = {
      issuer: server.issuer,
      authorization_endpoint: `${server.issuer}/authorize`,
      token_endpoint: `${server.issuer}/token`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      ...(quirks.registration === true && { registration_endpoint: `${server.issuer}/register` }),
      ...quirks.metadata?.(server.origin),
    }
    return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined))
  }

  function issue(grant: Grant, response: ServerResponse): void {
    const token = random()
    access.set(token, grant)
    const refreshToken = quirks.refreshTokens === false ? undefined : random()
    if (refreshToken !== undefined) refresh.set(refreshToken, grant)
    sendJson(response, 200, {
      access_token: token,
      token_type: 'bearer',
      scope: grant.scope,
      ...(quirks.expiresIn !== undefined && { expires_in: quirks.expiresIn }),
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    })
  }

  function clientOf({ form, authorization }: SeenRequest): { id: string; secret: string | undefined } {
    const basic = /^Basic (.+)$/.exec(authorization ?? '')?.[1]
    if (basic === undefined) return { id: form.get('client_id') ?? '', secret: form.get('client_secret') ?? undefined }
    const [id = '', secret] = Buffer.from(basic, 'base64').toString('utf8').split(':')
    // RFC 6749 §2.3.1: both are form-encoded, so a blank is a plus sign.
    const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))
    return { id: decode(id), secret: secret === undefined ? undefined : decode(secret) }
  }

  function knows(id: string): boolean {
    if (registered.has(id)) return true
    return quirks.clients === undefined ? quirks.registration !== true : id in quirks.clients
  }

  function token(seen: SeenRequest, response: ServerResponse): void {
    const client = clientOf(seen)
    const secret = registered.get(client.id) ?? quirks.clients?.[client.id]
    if (!knows(client.id) || client.secret !== secret) return sendJson(response, 401, { error: 'invalid_client' })
    const { form } = seen
    if (form.get('grant_type') === 'authorization_code') {
      const grant = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      const valid = grant?.challenge === proof && grant.redirect === form.get('redirect_uri')
      if (grant === undefined || !valid || grant.clientId !== client.id)
        return sendJson(response, 400, { error: 'invalid_grant' })
      return issue(grant, response)
    }
    if (form.get('grant_type') === 'refresh_token') {
      const grant = refresh.get(form.get('refresh_token') ?? '')
      refresh.delete(form.get('refresh_token') ?? '')
      if (grant === undefined || grant.clientId !== client.id)
        return sendJson(response, 400, { error: 'invalid_grant' })
      return issue(grant, response)
    }
    if (form.get('grant_type') === 'client_credentials') {
      return issue({ scope: form.get('scope') ?? '', clientId: client.id }, response)
    }
    return sendJson(response, 400, { error: 'unsupported_grant_type' })
  }

  function authorize({ query }: SeenRequest, response: ServerResponse): void {
    const callback = new URL(query.get('redirect_uri') ?? '')
    const clientId = query.get('client_id') ?? ''
    if (!knows(clientId)) return void response.writeHead(400, { 'content-type': 'text/html' }).end('unknown client')
    const code = random()
    const challenge = query.get('code_challenge') ?? undefined
    codes.set(code, { scope: query.get('scope') ?? '', clientId, challenge, redirect: callback.href })
    callback.searchParams.set('code', code)
    callback.searchParams.set('state', query.get('state') ?? '')
    for (const [name, value] of Object.entries(quirks.callback ?? {})) callback.searchParams.set(name, value)
    response.writeHead(302, { location: callback.href }).end()
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', server.origin)
    const seen: SeenRequest = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      form: new URLSearchParams(await bodyText(request)),
      authorization: request.headers.authorization,
    }
    server.requests.push(seen)
    if ((await quirks.intercept?.(seen, response, server)) === true) return
    switch (seen.path) {
      case `/.well-known/oauth-authorization-server${issuerPath}`:
        return sendJson(response, 200, metadata())
      case `${issuerPath}/authorize`:
        return authorize(seen, response)
      case `${issuerPath}/token`:
        return token(seen, response)
      case `${issuerPath}/register`: {
        if (quirks.registration !== true) break
        const id = random()
        registered.set(id, undefined)
        return sendJson(response, 201, { client_id: id, token_endpoint_auth_method: 'none' })
      }
      default:
        break
    }
    response.writeHead(404, { 'content-type': 'text/html' }).end('not found')
  }

  const listening = await listen((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(String(error))
    })
  })
  const server: QuirkyAuthorizationServer = {
    ...listening,
    issuer: `${listening.origin}${issuerPath}`,
    requests: [],
    scopesOf: (value) => access.get(value)?.scope.split(' '),
    forgetClients: () => registered.clear(),
    requestsTo: (path) => server.requests.filter((seen) => seen.path === path),
    async login(authorizeUrl) {
      const response = await fetch(authorizeUrl, { redirect: 'manual' })
      const location = response.headers.get('location')
      const page = await response.text()
      if (location === null) throw new Error(`no redirect: HTTP ${response.status} ${page}`)
      return new URL(location)
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
  return server
}
