import { isLoopbackHostname } from '@dsh-mcp/host'

/** A fetch for one environment, and the connections it holds. */
export interface HttpClient {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
  /** Ends every open connection. */
  close(): Promise<void>
}

function proxySetting(environment: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const value = environment[name.toLowerCase()] ?? environment[name]
  return value === undefined || value.trim() === '' ? undefined : value.trim()
}

/**
 * HTTP for MCP: no time limit on headers or body (a tool may take long; callers have their own), redirects never followed,
 * `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` (also in small letters) honoured except for loopback addresses. Loads its
 * library at first use.
 */
export function createHttpClient(environment: Readonly<Record<string, string | undefined>>): HttpClient {
  async function load() {
    const { Agent, EnvHttpProxyAgent, fetch } = await import('undici')
    const limits = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 20_000 } }
    const httpProxy = proxySetting(environment, 'HTTP_PROXY')
    const httpsProxy = proxySetting(environment, 'HTTPS_PROXY')
    const direct = new Agent(limits)
    const proxied =
      httpProxy === undefined && httpsProxy === undefined
        ? direct
        : new EnvHttpProxyAgent({
            ...limits,
            httpProxy: httpProxy ?? '',
            httpsProxy: httpsProxy ?? '',
            noProxy: proxySetting(environment, 'NO_PROXY') ?? '',
          })
    return { direct, proxied, fetch }
  }
  let loading: ReturnType<typeof load> | undefined

  return {
    async fetch(input, init) {
      loading ??= load()
      const { direct, proxied, fetch } = await loading
      const url = new URL(input)
      const dispatcher = isLoopbackHostname(url.hostname) ? direct : proxied
      const options = { ...init, dispatcher, redirect: 'manual' } as Parameters<typeof fetch>[1]
      const response = (await fetch(url, options).catch((error: unknown) => {
        const { cause } = error as { cause?: unknown }
        if (!(cause instanceof Error) || cause.message !== 'bad port') throw error
        throw new Error(`port ${url.port} may not be used for HTTP (Fetch Standard, port blocking)`, { cause: error })
      })) as unknown as Response
      const target = response.headers.get('location')
      if (response.status >= 300 && response.status < 400 && target !== null) {
        await response.body?.cancel()
        throw new Error(
          `the server redirects (HTTP ${response.status}) to ${new URL(target, url).href}; redirects are not followed, ` +
            'enter the final address',
        )
      }
      return response
    },
    async close() {
      if (loading === undefined) return
      const { direct, proxied } = await loading
      await Promise.all([direct.destroy(), proxied === direct ? undefined : proxied.destroy()])
    },
  }
}
