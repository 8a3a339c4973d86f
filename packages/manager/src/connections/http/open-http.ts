import type { PriorDiscovery } from '@modelcontextprotocol/client'
import type { HttpServer } from '../../config/index.ts'
import type { AttemptLog } from '../../diagnostics/index.ts'
import type { Authorization } from '../authorization.ts'
import { loadEngine } from '../engine.ts'
import { AuthorizationNeeded, describeFailure, findCause, SpeaksHttpSse } from '../failures.ts'
import { openClient, probeTimeoutMs } from '../open-client.ts'
import type { SessionEnvironment } from '../open-session.ts'
import { resolveHttp } from '../resolve-server.ts'
import { createSession } from '../session.ts'
import type { Session } from '../session.ts'
import { HttpSseTransport } from './http-sse-transport.ts'
import { createMcpFetch } from './mcp-fetch.ts'
import { createStreamPolicy } from './stream-policy.ts'

/** How long the server may take to end its session when we leave, in milliseconds. */
const farewellMs = 1_000

/** Statuses that say nothing about the transport: refusals, waits, a proxy's word. */
const otherReasons = new Set([401, 403, 407, 408, 425, 429])

/** Whether a failed Streamable HTTP attempt looks like a server of the older transport (MCP 2025-03-26, backwards compatibility). */
async function looksLikeHttpSse(error: unknown): Promise<boolean> {
  if (findCause(error, SpeaksHttpSse) !== undefined) return true
  const { SdkError, SdkErrorCode, SdkHttpError } = await loadEngine()
  const refused = findCause(error, SdkHttpError)
  if (refused !== undefined) return refused.status >= 400 && refused.status < 500 && !otherReasons.has(refused.status)
  // A 2xx answer that is no JSON and no event stream.
  for (let current: unknown = error; current instanceof Error;) {
    if (current instanceof SdkError && current.code === SdkErrorCode.ClientHttpUnexpectedContent) return true
    const { data } = current as { data?: { cause?: unknown } }
    current = current.cause ?? data?.cause
  }
  return false
}

/** Connects by Streamable HTTP, or by HTTP+SSE when the server speaks only that. */
export async function openHttp(
  server: HttpServer,
  authorization: Authorization,
  log: AttemptLog,
  shared: SessionEnvironment,
  signal: AbortSignal,
): Promise<Session> {
  const { url, headers } = resolveHttp(server, shared.environment, log)
  const ended = new AbortController()

  function mcpFetch(wanted: () => boolean) {
    const stream = createStreamPolicy(wanted, () => {
      log.record({
        phase: 'stream',
        url,
        detail: 'five streams in a row ended without a message; no more until the next connection',
      })
    })
    const { http: client, frameLimit } = shared
    const options = { url, client, headers, authorization, log, signal: ended.signal, stream, frameLimit }
    return { stream, fetch: createMcpFetch(options) }
  }

  async function streamable(prior: PriorDiscovery | undefined, priorReason?: string): Promise<Session> {
    const { StreamableHTTPClientTransport } = await loadEngine()
    let wanted = (): boolean => false
    const { stream, fetch } = mcpFetch(() => wanted())
    const wire = new StreamableHTTPClientTransport(url, {
      fetch,
      reconnectionOptions: {
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 60_000,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 5,
      },
      reconnectionScheduler(reconnect, delay) {
        const timer = setTimeout(reconnect, stream.delay(delay))
        timer.unref()
        return () => clearTimeout(timer)
      },
    })
    const opened = await openClient({
      wire,
      prior,
      ...(priorReason !== undefined && { priorReason }),
      version: shared.version,
      signal,
      configure(client) {
        // A client that answers questions may be asked on this stream too.
        const answers = shared.configure !== undefined
        wanted = () => answers || client.getServerCapabilities()?.tools?.listChanged === true
        shared.configure?.(client)
      },
    })
    const { client, tap, reason } = opened
    shared.eras.keep(server, { transport: 'streamable-http', prior: opened.prior })
    const beforeClose = async (): Promise<void> => {
      if (wire.sessionId !== undefined) {
        const limit = new Promise<void>((resolve) => setTimeout(resolve, farewellMs).unref())
        await Promise.race([wire.terminateSession().catch(() => undefined), limit])
      }
      ended.abort()
    }
    return createSession({ client, wire, tap, transport: 'streamable-http', reason, beforeClose })
  }

  async function httpSse(reason: string): Promise<Session> {
    const wire = new HttpSseTransport({ url, fetch: mcpFetch(() => false).fetch, frameLimit: shared.frameLimit })
    const { client, tap } = await openClient({
      wire,
      prior: { kind: 'legacy' },
      version: shared.version,
      signal,
      configure: shared.configure,
    })
    shared.eras.keep(server, { transport: 'http-sse' })
    const beforeClose = async (): Promise<void> => ended.abort()
    return createSession({ client, wire, tap, transport: 'http-sse', reason, beforeClose })
  }

  async function negotiate(): Promise<Session> {
    const verdict = shared.eras.recall(server)
    if (verdict?.transport === 'http-sse') return httpSse('remembered')
    const prior = verdict?.transport === 'streamable-http' ? verdict.prior : undefined
    let failure: unknown
    try {
      return await streamable(prior)
    } catch (error) {
      failure = error
    }
    const { SdkError, SdkErrorCode } = await loadEngine()
    if (prior === undefined && failure instanceof SdkError && failure.code === SdkErrorCode.RequestTimeout) {
      // Silence at the probe may be an old server that drops what it does not know.
      signal.throwIfAborted()
      return streamable({ kind: 'legacy' }, `no answer to server/discover within ${probeTimeoutMs / 1000} s`)
    }
    if (signal.aborted || !(await looksLikeHttpSse(failure))) throw failure
    const first = describeFailure(failure)
    log.record({ phase: 'initialize', url, detail: `Streamable HTTP: ${first}; trying HTTP+SSE` })
    try {
      return await httpSse('Streamable HTTP refused')
    } catch (error) {
      if (findCause(error, AuthorizationNeeded) !== undefined || signal.aborted) throw error
      const second = describeFailure(error)
      log.record({ phase: 'initialize', url, detail: `HTTP+SSE: ${second}` })
      throw new Error(`Streamable HTTP: ${first}; HTTP+SSE: ${second}`, { cause: error })
    }
  }

  try {
    return await negotiate()
  } catch (error) {
    ended.abort()
    throw error
  }
}
