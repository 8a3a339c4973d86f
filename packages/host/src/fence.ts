/**
 * Where a request claims to come from, judged by its `Host`, `Origin` and `Sec-Fetch-Site` headers: the protection of
 * local servers against DNS rebinding and foreign web pages (MCP, Streamable HTTP, Security; Fetch Metadata). Pure
 * functions; which combination is let in is the decision of each route.
 */

/** `public`: one of the configured public origins of this deployment. */
export type HostVerdict = 'loopback' | 'public' | 'foreign'

/**
 * `none`: no `Origin`, as programs other than browsers send it. `same`: the origin of the `Host` itself, on a host that is
 * ours. `loopback`: a page of this machine on another port.
 */
export type OriginVerdict = 'none' | 'same' | 'loopback' | 'public' | 'foreign'

/** Whether a WHATWG URL hostname (lower case, IPv6 in brackets) is `localhost`, `[::1]` or in 127.0.0.0/8. */
export function isLoopbackHostname(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
}

/** Judges a `Host` header. `publicOrigins` are serialized origins such as `https://harness.example`. */
export function judgeHost(host: string | undefined, publicOrigins: readonly string[]): HostVerdict {
  const url = authorityUrl('http:', host)
  if (url === undefined) return 'foreign'
  if (isLoopbackHostname(url.hostname)) return 'loopback'
  const served = publicOrigins.some((entry) => {
    const origin = originUrl(entry)
    return origin !== undefined && authorityUrl(origin.protocol, host)?.host === origin.host
  })
  return served ? 'public' : 'foreign'
}

/**
 * Judges an `Origin` header together with the `Host` it came to. A `null` origin and one that does not parse are foreign, and
 * so is a request without `Origin` that the browser marks `Sec-Fetch-Site: cross-site`.
 */
export function judgeOrigin(
  headers: { readonly origin?: string; readonly host?: string; readonly secFetchSite?: string },
  publicOrigins: readonly string[],
): OriginVerdict {
  const { origin, host } = headers
  if (origin === undefined) return headers.secFetchSite === 'cross-site' ? 'foreign' : 'none'
  const url = originUrl(origin)
  if (url === undefined) return 'foreign'
  const ours = judgeHost(host, publicOrigins) !== 'foreign'
  if (ours && authorityUrl(url.protocol, host)?.host === url.host) return 'same'
  if (isLoopbackHostname(url.hostname)) return 'loopback'
  return publicOrigins.some((entry) => originUrl(entry)?.origin === url.origin) ? 'public' : 'foreign'
}

/** A bare authority as the `Host` header carries it (RFC 9110 §7.2): no user, path, query or white space. */
function authorityUrl(protocol: string, authority: string | undefined): URL | undefined {
  if (authority === undefined || !/^[A-Za-z0-9._~[\]:%-]+$/.test(authority)) return undefined
  return parse(`${protocol}//${authority}`)
}

/** A serialized http or https origin (RFC 6454 §6.2). */
function originUrl(origin: string): URL | undefined {
  const match = /^(https?:)\/\/([^/?#@\s]+)$/i.exec(origin)
  return match === null ? undefined : authorityUrl(match[1]!.toLowerCase(), match[2])
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}
