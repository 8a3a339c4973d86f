import type { AuthorizationServer } from 'oauth4webapi'
import type { AttemptLog } from '../diagnostics/index.ts'
import type { BearerChallenge } from './challenge.ts'
import { OAuthError } from './errors.ts'
import type { FlowHttp } from './http.ts'
import { readResourceMetadata } from './resource-metadata.ts'
import type { ResourceMetadata } from './resource-metadata.ts'
import { readServerMetadata } from './server-metadata.ts'
import { authorizationServerMetadataUrls, guessedEndpoints, protectedResourceMetadataUrls } from './well-known.ts'

/** What discovery found out about a server. */
export interface Discovery {
  /** The published resource identifier; absent when nothing is published. Never made up. */
  readonly resource: string | undefined
  readonly resourceMetadataUrl: string | undefined
  readonly resourceScopes: readonly string[] | undefined
  readonly server: AuthorizationServer
  /** The endpoints are a guess: nothing published them. */
  readonly guessed: boolean
}

/** Where to start from. */
export interface DiscoveryStart {
  readonly serverUrl: URL
  readonly challenge?: BearerChallenge
  /** `resourceMetadataUrl` of an earlier discovery; asked after the one of the challenge. */
  readonly knownMetadataUrl?: string
  /** Authorization server of an earlier login, preferred while the resource still names it. */
  readonly knownIssuer?: string
  /** The server answered a request without a token, so that it may need no login at all. */
  readonly answersWithoutLogin?: boolean
}

interface Context {
  readonly http: FlowHttp
  readonly log: AttemptLog
}

/** Asks candidates in turn: a document, or nothing on any 4xx and on answers that are no JSON; 5xx is an outage. */
async function firstDocument<T>(
  { http, log }: Context,
  urls: readonly URL[],
  read: (document: unknown, url: URL) => T,
): Promise<{ value: T; url: URL } | undefined> {
  for (const url of urls) {
    const answer = await http.get(url, 'discovery')
    if (answer.status >= 500) {
      throw new OAuthError(
        'server-error',
        'discovery',
        `${url.href} answered HTTP ${answer.status} at stage discovery: the provider has an outage; try again later`,
        { url, status: answer.status },
      )
    }
    if (answer.status < 200 || answer.status > 299) continue
    const text = await answer.text()
    let document: unknown
    try {
      document = JSON.parse(text)
    } catch {
      // Single-page applications answer every path with their HTML; that is as good as a 404.
      log.record({ phase: 'discovery', url, status: answer.status, detail: 'not JSON: taken as not found' })
      continue
    }
    return { value: read(document, url), url }
  }
  return undefined
}

/** Asks for the protected-resource metadata (RFC 9728); nothing when no candidate has any. */
export async function discoverResource(
  context: Context,
  { serverUrl, challenge, knownMetadataUrl }: DiscoveryStart,
): Promise<{ value: ResourceMetadata; url: URL } | undefined> {
  const named = challenge?.resourceMetadata
  const namedUrl = named === undefined ? undefined : (URL.parse(named, serverUrl.href) ?? undefined)
  if (named !== undefined && namedUrl === undefined) {
    context.log.record({ phase: 'discovery', detail: 'resource_metadata in the challenge is not a URL: ignored' })
  }
  const known = knownMetadataUrl === undefined ? undefined : (URL.parse(knownMetadataUrl) ?? undefined)
  const urls = protectedResourceMetadataUrls(serverUrl, namedUrl, namedUrl === undefined ? known : undefined)
  return firstDocument(context, urls, (document, url) => readResourceMetadata(document, url, serverUrl))
}

/** Asks for the metadata of an issuer (RFC 8414, OpenID Connect Discovery); nothing when no candidate has any. */
export async function discoverServer(
  context: Context,
  issuer: string,
  alsoAccepted: readonly string[] = [],
): Promise<AuthorizationServer | undefined> {
  const url = URL.parse(issuer)
  if (url === null) {
    throw new OAuthError(
      'invalid-metadata',
      'discovery',
      `the authorization server ${JSON.stringify(issuer)} is not a URL`,
    )
  }
  const found = await firstDocument(context, authorizationServerMetadataUrls(url), (document, at) =>
    readServerMetadata(document, at, [issuer, ...alsoAccepted]),
  )
  return found?.value
}

/** The metadata of a server nobody has named: its own origin, as servers before RFC 9728 do it. */
export async function discoverOriginServer(context: Context, serverUrl: URL): Promise<AuthorizationServer | undefined> {
  // With and without the slash it is the same well-known URL, so both are issuers it was built from.
  return discoverServer(context, serverUrl.origin, [`${serverUrl.origin}/`])
}

function guess(log: AttemptLog, base: URL, why: string): AuthorizationServer {
  const endpoints = { ...guessedEndpoints(base) }
  log.record({
    phase: 'discovery',
    url: endpoints.authorization_endpoint,
    detail: `fallback guess: ${why}; these endpoints are not published by anyone`,
  })
  return endpoints
}

/**
 * The whole chain: challenge → protected-resource metadata (as given, with path, of the origin) → metadata of its
 * authorization server → a guess, marked as one. Any 4xx tries the next candidate, 5xx ends the chain.
 * @throws {OAuthError} an outage, an unusable or mismatching document, an unsafe URL, `no-login-needed`.
 */
export async function discover(context: Context, start: DiscoveryStart): Promise<Discovery> {
  const resource = await discoverResource(context, start)
  const published = {
    resource: resource?.value.resource,
    resourceMetadataUrl: resource?.url.href,
    resourceScopes: resource?.value.scopes,
  }
  const issuers = resource?.value.authorizationServers ?? []
  const known = start.knownIssuer
  const ordered =
    known !== undefined && issuers.includes(known) ? [known, ...issuers.filter((i) => i !== known)] : issuers
  for (const issuer of ordered) {
    const server = await discoverServer(context, issuer)
    if (server !== undefined) return { ...published, server, guessed: false }
  }
  const [namedIssuer] = issuers
  if (namedIssuer !== undefined) {
    const server = guess(context.log, new URL(namedIssuer), `${namedIssuer} publishes no metadata`)
    return { ...published, server: { ...server, issuer: namedIssuer }, guessed: true }
  }
  const ofOrigin = await discoverOriginServer(context, start.serverUrl)
  if (ofOrigin !== undefined) return { ...published, server: ofOrigin, guessed: false }
  if (start.answersWithoutLogin === true) {
    throw new OAuthError(
      'no-login-needed',
      'discovery',
      `${start.serverUrl.origin} answers without a login and publishes no authorization server: set authentication to none`,
      { url: start.serverUrl },
    )
  }
  const server = guess(context.log, start.serverUrl, `${start.serverUrl.origin} publishes no metadata`)
  return { ...published, server, guessed: true }
}
