import type { Dispatcher } from 'undici'
import { proxyFor } from './proxy.ts'

/** A fetch for one environment, and the connections it holds. */
export interface HttpClient {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
  /** Ends every open connection. */
  close(): Promise<void>
}

/**
 * HTTP for MCP: no time limit on headers or body (a tool may take long; callers have their own), redirects never followed,
 * through the same proxy as a login ({@link proxyFor}). Loads its library at first use.
 */
export function createHttpClient(environment: Readonly<Record<string, string | undefined>>): HttpClient {
  async function load() {
    const { Agent, ProxyAgent, fetch } = await import('undici')
    const limits = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 20_000 } }
    const dispatchers = new Map<string | undefined, Dispatcher>()
    const dispatcherFor = (url: URL): Dispatcher => {
      const proxy = proxyFor(url, environment)
      let dispatcher = dispatchers.get(proxy)
      if (dispatcher === undefined) {
        dispatcher = proxy === undefined ? new Agent(limits) : new ProxyAgent({ ...limits, uri: proxy })
        dispatchers.set(proxy, dispatcher)
      }
      return dispatcher
    }
    return { dispatchers, dispatcherFor, fetch }
  }
  let loading: ReturnType<typeof load> | undefined

  return {
    async fetch(input, init) {
      loading ??= load()
      const { dispatcherFor, fetch } = await loading
      const url = new URL(input)
      const options = { ...init, dispatcher: dispatcherFor(url), redirect: 'manual' } as Parameters<typeof fetch>[1]
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
      const { dispatchers } = await loading
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.destroy()))
    },
  }
}
