import { isLoopbackHostname } from '@dsh-mcp/host'

type Environment = Readonly<Record<string, string | undefined>>

function either(environment: Environment, name: string): string | undefined {
  const value = environment[name.toLowerCase()] ?? environment[name]
  return value === undefined || value.trim() === '' ? undefined : value.trim()
}

function isExcluded(url: URL, list: string): boolean {
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  const host = url.hostname.toLowerCase()
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true
      const match = /^(?<name>.*?)(?::(?<port>\d+))?$/.exec(entry.toLowerCase())
      if (match?.groups?.port !== undefined && match.groups.port !== port) return false
      const name = (match?.groups?.name ?? '').replace(/^\*?\./, '')
      return host === name || host.endsWith(`.${name}`)
    })
}

/**
 * The proxy a request goes through by `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` (lower case wins), or
 * nothing. Loopback is never proxied.
 */
export function proxyFor(url: URL, environment: Environment): string | undefined {
  if (isLoopbackHostname(url.hostname)) return undefined
  const own = url.protocol === 'https:' ? either(environment, 'HTTPS_PROXY') : either(environment, 'HTTP_PROXY')
  const proxy = own ?? either(environment, 'ALL_PROXY')
  if (proxy === undefined || isExcluded(url, either(environment, 'NO_PROXY') ?? '')) return undefined
  // Names are left to a SOCKS proxy in any case, which `socks5h` asks for.
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy.replace(/^socks5h:/i, 'socks5:') : `http://${proxy}`
}
