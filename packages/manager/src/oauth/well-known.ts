const resourceSuffix = '/.well-known/oauth-protected-resource'
const serverSuffix = '/.well-known/oauth-authorization-server'
const openIdSuffix = '/.well-known/openid-configuration'

function pathOf(url: URL): string {
  return url.pathname.replace(/\/+$/, '')
}

function unique(urls: readonly URL[]): URL[] {
  return [...new Map(urls.map((url) => [url.href, url])).values()]
}

/**
 * Where the protected-resource metadata of an MCP server may be, in the order to ask (RFC 9728 §3.1 and §5.1): the URL
 * the server named, as it stands; the well-known URL with the server's path; the well-known URL of the origin.
 */
export function protectedResourceMetadataUrls(serverUrl: URL, ...named: readonly (URL | undefined)[]): URL[] {
  const withPath = new URL(resourceSuffix + pathOf(serverUrl), serverUrl)
  // RFC 9728 §3.1 keeps the query of a resource identifier behind the inserted path.
  withPath.search = serverUrl.search
  const ofOrigin = new URL(resourceSuffix, serverUrl)
  return unique([...named.filter((url) => url !== undefined), withPath, ofOrigin])
}

/**
 * Where the metadata of an authorization server may be, in the order to ask. Issuer with a path: RFC 8414 §3.1 path
 * insertion, OpenID path insertion, OpenID path appending (OpenID Connect Discovery §4), RFC 8414 appended to the path
 * (an old reading still in the field). Issuer without one: RFC 8414, then OpenID.
 */
export function authorizationServerMetadataUrls(issuer: URL): URL[] {
  const path = pathOf(issuer)
  if (path === '') return [new URL(serverSuffix, issuer), new URL(openIdSuffix, issuer)]
  return [
    new URL(serverSuffix + path, issuer),
    new URL(openIdSuffix + path, issuer),
    new URL(path + openIdSuffix, issuer),
    new URL(path + serverSuffix, issuer),
  ]
}

/** Endpoints assumed when a server publishes nothing at all. */
export interface GuessedEndpoints {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly registration_endpoint: string
}

/** The last resort: the endpoints many servers use at their own origin. Nothing has confirmed them. */
export function guessedEndpoints(serverUrl: URL): GuessedEndpoints {
  const { origin } = serverUrl
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    registration_endpoint: `${origin}/register`,
  }
}
