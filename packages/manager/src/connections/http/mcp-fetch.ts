import type { AttemptLog, AttemptPhase } from '../../diagnostics/index.ts'
import type { Authorization, AuthorizationDecision } from '../authorization.ts'
import { AuthorizationNeeded, describeFailure, HttpFailure, SessionExpired, SpeaksHttpSse } from '../failures.ts'
import { currentOperation } from '../operation.ts'
import { boundedBody } from './bounded-body.ts'
import type { HttpClient } from './http-client.ts'
import type { StreamPolicy } from './stream-policy.ts'

/** Everything one server's HTTP requests need. */
export interface McpFetchOptions {
  readonly url: URL
  readonly client: HttpClient
  /** Sent with each request; what the protocol sets wins, and so does a token over an `Authorization` here. */
  readonly headers: Readonly<Record<string, string>>
  readonly authorization: Authorization
  readonly log: AttemptLog
  /** Ends with the connection. */
  readonly signal: AbortSignal
  readonly stream: StreamPolicy
  /** Longest answer, or event of a stream, in bytes. */
  readonly frameLimit: number
}

/** The part of fetch the engine's transports use. */
export type McpFetch = (input: string | URL, init?: RequestInit) => Promise<Response>

const longestErrorBody = 64 * 1024

function phaseOf(method: string | undefined): AttemptPhase {
  switch (method) {
    case undefined:
    case 'sse':
      return 'stream'
    case 'tools/list':
    case 'tools/call':
      return method
    case 'initialize':
    case 'server/discover':
    case 'notifications/initialized':
      return 'initialize'
    default:
      return 'session'
  }
}

async function readLimited(response: Response): Promise<string> {
  if (response.body === null) return ''
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const parts: Uint8Array[] = []
  let size = 0
  while (size < longestErrorBody) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    size += value.length
  }
  await reader.cancel()
  return Buffer.concat(parts).toString('utf8')
}

const noStream = (): Response => new Response(null, { status: 405, statusText: 'Method Not Allowed' })

/** Throws what a decision other than "retry" means. */
function refuse(decision: AuthorizationDecision, status: number): void {
  if (decision.action === 'needs-auth') throw new AuthorizationNeeded(decision.reason, decision.missingScope)
  if (decision.action === 'fail' && decision.reason !== undefined) {
    throw new HttpFailure(status, `HTTP ${status}: ${decision.reason}`)
  }
}

/**
 * The fetch under the engine's HTTP transports. Adds headers and credentials, hands refusals to the authorization and
 * repeats a refused request when told to (at most twice: the newer token of another process may be refused as well), recognises ended sessions and servers of the older transport, and writes the log.
 */
export function createMcpFetch(options: McpFetchOptions): McpFetch {
  const { authorization, client, log, stream, url } = options

  async function attempt(input: string | URL, init: RequestInit, repeats: number): Promise<Response> {
    const operation = currentOperation()
    const phase = phaseOf(operation?.method)
    const signal =
      init.signal === undefined || init.signal === null
        ? options.signal
        : AbortSignal.any([init.signal, options.signal])
    const token = await authorization.token(signal)
    log.addSecret(token)
    const headers = new Headers(options.headers)
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value)
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)

    let response: Response
    try {
      response = await client.fetch(input, { ...init, headers, signal })
    } catch (error) {
      if (!signal.aborted) log.record({ phase, url: input.toString(), detail: describeFailure(error) })
      throw error
    }
    const { status } = response
    if (status === 401 || status === 403) {
      const body = await readLimited(response)
      log.record({
        phase,
        url: input.toString(),
        status,
        detail: response.headers.get('www-authenticate') ?? body.slice(0, 200),
      })
      const challenge = {
        status,
        challenge: response.headers.get('www-authenticate') ?? undefined,
        serverUrl: url,
        method: operation?.method,
        token,
        repeated: repeats > 0,
        signal,
      } as const
      const decision = await (status === 401
        ? authorization.onUnauthorized(challenge)
        : authorization.onForbidden(challenge))
      if (decision.action === 'retry') {
        if (repeats < 2) return attempt(input, init, repeats + 1)
        throw new AuthorizationNeeded(`the server refused the renewed login (HTTP ${status})`)
      }
      refuse(decision, status)
      throw new HttpFailure(
        status,
        `HTTP ${status} ${response.statusText}: ${body.slice(0, 200)}`.replace(/[: ]+$/, ''),
      )
    }
    if (status >= 400) {
      const body = await readLimited(response)
      if (init.method !== 'DELETE') log.record({ phase, url: input.toString(), status, detail: body.slice(0, 300) })
      const inSession = headers.has('mcp-session-id') && init.method === 'POST'
      if (inSession && (status === 404 || (status === 400 && /session/i.test(body)))) throw new SessionExpired()
      return new Response(body, { status, statusText: response.statusText, headers: response.headers })
    }
    if (status === 202 && operation?.isRequest === true) {
      await response.body?.cancel()
      log.record({ phase, url: input.toString(), status, detail: 'accepted without an answer, as HTTP+SSE servers do' })
      throw new SpeaksHttpSse('the server accepted a request without answering it')
    }
    if (phase === 'initialize' || phase === 'tools/list' || phase === 'stream') {
      if (operation?.method !== 'notifications/initialized') log.record({ phase, url: input.toString(), status })
    }
    return boundedBody(response, options.frameLimit, init.body)
  }

  return async (input, init = {}) => {
    const isGet = (init.method ?? 'GET') === 'GET'
    const resumes = new Headers(init.headers).has('last-event-id')
    if (!isGet || currentOperation()?.method === 'sse') return attempt(input, init, 0)
    if (!resumes && !stream.allows()) return noStream()
    const response = await attempt(input, init, 0)
    // A server without such a stream should answer 405; 400, 404, 406 and pages of text are common.
    const isStream = response.headers.get('content-type')?.toLowerCase().includes('text/event-stream') === true
    if (!response.ok || !isStream || response.body === null) {
      await response.body?.cancel()
      return noStream()
    }
    if (resumes) return response
    return new Response(stream.watch(response.body as ReadableStream<Uint8Array>), {
      status: response.status,
      headers: response.headers,
    })
  }
}
