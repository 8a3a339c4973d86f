import { OAuthError } from './errors.ts'
import { isLoopbackHost } from './loopback.ts'

/** Path under which the host serves the callback; the server id follows. */
export const callbackPath = '/mcp-manager/callback/'

/** What a request to the settings API says about the address the browser used. */
export interface OriginHeaders {
  readonly host?: string
  /** `Origin`; sent by browsers with each POST. */
  readonly origin?: string
  readonly forwardedProto?: string
  readonly forwardedHost?: string
}

function originOf(text: string): URL | undefined {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  if (url.username !== '' || url.password !== '' || url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    return undefined
  }
  return url
}

/**
 * Checks the `publicOrigins` of the plugin row. Each is `https://host[:port]`, or `http://` on loopback: a redirect URI
 * is either https or loopback (MCP authorization, communication security).
 */
export function parsePublicOrigins(values: readonly string[]): { origins: string[]; problems: string[] } {
  const origins: string[] = []
  const problems: string[] = []
  for (const value of values) {
    const url = originOf(value.trim())
    if (url === undefined) {
      problems.push(
        `publicOrigins: ${JSON.stringify(value)} is not an origin; write it as https://host or https://host:port`,
      )
    } else if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
      problems.push(
        `publicOrigins: ${url.origin} is not encrypted; an OAuth redirect needs https unless it is loopback`,
      )
    } else if (!origins.includes(url.origin)) {
      origins.push(url.origin)
    }
  }
  return { origins, problems }
}

function authorityToOrigin(protocol: string, authority: string): URL | undefined {
  return /[\s/\\?#@,]/.test(authority) || authority === '' ? undefined : originOf(`${protocol}://${authority}/`)
}

function forwardedOrigin(headers: OriginHeaders): URL | undefined {
  const { forwardedHost, forwardedProto } = headers
  if (forwardedHost === undefined) return undefined
  const protocol = (forwardedProto ?? 'http').trim().toLowerCase()
  const url =
    protocol === 'http' || protocol === 'https' ? authorityToOrigin(protocol, forwardedHost.trim()) : undefined
  if (url === undefined) {
    throw new OAuthError(
      'origin-malformed',
      'origin',
      'X-Forwarded-Host / X-Forwarded-Proto is not one host and one of http, https: correct the reverse proxy',
    )
  }
  return url
}

function refused(what: string, publicOrigins: readonly string[]): OAuthError {
  const allowed = publicOrigins.length === 0 ? '' : ` (allowed now: ${publicOrigins.join(', ')})`
  return new OAuthError(
    'origin-refused',
    'origin',
    `a login cannot return to ${what}: open the page by a loopback address, or add this origin to publicOrigins of the plugin row${allowed}`,
  )
}

/**
 * The origin a login returns to. Direct access: the loopback `Host`. Behind a reverse proxy: an entry of
 * `publicOrigins`; a single entry is the default and needs no forwarded header, among several the complete
 * `X-Forwarded-Proto` and `X-Forwarded-Host` choose. A browser that itself sits on a loopback page is direct access in
 * any case.
 * @throws {OAuthError} `origin-refused` for a foreign host, `origin-malformed` for an unreadable forwarded host.
 */
export function callbackOrigin(headers: OriginHeaders, publicOrigins: readonly string[]): string {
  const forwarded = forwardedOrigin(headers)
  if (forwarded !== undefined) {
    if (publicOrigins.includes(forwarded.origin)) return forwarded.origin
    if (publicOrigins.length !== 1) {
      if (isLoopbackHost(forwarded.hostname)) return forwarded.origin
      throw refused(forwarded.origin, publicOrigins)
    }
  }
  const direct = authorityToOrigin('http', headers.host ?? '')
  const loopback = direct !== undefined && isLoopbackHost(direct.hostname) ? direct : undefined
  const [onlyOrigin] = publicOrigins
  if (onlyOrigin !== undefined && publicOrigins.length === 1) {
    const fromLoopbackPage = loopback !== undefined && forwarded === undefined && headers.origin === loopback.origin
    return fromLoopbackPage ? loopback.origin : onlyOrigin
  }
  if (loopback !== undefined) return loopback.origin
  const named = direct === undefined ? undefined : publicOrigins.find((origin) => new URL(origin).host === direct.host)
  if (named !== undefined && publicOrigins.filter((origin) => new URL(origin).host === direct?.host).length === 1) {
    return named
  }
  throw refused(direct === undefined ? 'an address without a Host' : `host ${direct.host}`, publicOrigins)
}

/** The redirect URI of a server (RFC 6749 §3.1.2). */
export function redirectUri(origin: string, serverId: string): string {
  return `${origin}${callbackPath}${serverId}`
}

/** `native` for an http loopback redirect, otherwise `web` (OpenID Connect Registration §2, MCP SEP-837). */
export function applicationType(redirect: string): 'native' | 'web' {
  const url = new URL(redirect)
  return url.protocol === 'http:' && isLoopbackHost(url.hostname) ? 'native' : 'web'
}
