import type { AttemptLog, AttemptPhase } from '../diagnostics/index.ts'
import type { Reach } from './address-safety.ts'
import { OAuthError } from './errors.ts'
import type { OAuthStage } from './errors.ts'
import { ForbiddenTarget } from './guarded-fetch.ts'
import type { Send } from './guarded-fetch.ts'

/** Limit of one request, from connecting to the last byte, in milliseconds. */
export const requestTimeoutMs = 15_000
/** Limit of an answer's body in bytes. */
export const answerLimitBytes = 1024 * 1024
const redirectLimit = 3

/** The flow's view of the network: limits applied, every exchange written to the attempt log. */
export interface FlowHttp {
  /**
   * A GET that follows at most three redirects, each target checked anew.
   * @throws {OAuthError} `unsafe-url`, `network`, `timeout`, `too-large`.
   */
  get(url: URL, stage: OAuthStage, headers?: Readonly<Record<string, string>>): Promise<Response>
  /**
   * A POST whose redirects are refused: it carries credentials.
   * @throws {OAuthError} `unsafe-url`, `network`, `timeout`, `too-large`.
   */
  post(url: URL, stage: OAuthStage, headers: Readonly<Record<string, string>>, body: string): Promise<Response>
  /** The same POST in the shape `oauth4webapi` calls. */
  asFetch(stage: OAuthStage): (url: string, init: FetchInit) => Promise<Response>
}

/** The part of `RequestInit` that `oauth4webapi` hands over. */
interface FetchInit {
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly method?: string
}

/** What {@link flowHttp} needs. */
export interface FlowHttpOptions {
  readonly send: Send
  readonly reach: Reach
  readonly log: AttemptLog
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

const certificateFaults = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

function causes(error: unknown): { code?: string; message: string; error: unknown }[] {
  const chain: { code?: string; message: string; error: unknown }[] = []
  for (let at = error; at instanceof Error && chain.length < 5; at = at.cause) {
    const code = 'code' in at && typeof at.code === 'string' ? at.code : undefined
    chain.push({ code, message: at.message, error: at })
    if (at instanceof AggregateError) at.cause ??= at.errors[0]
  }
  return chain
}

function readable(error: unknown): string {
  const chain = causes(error)
  const code = chain.find((cause) => cause.code !== undefined)?.code
  if (code !== undefined && certificateFaults.has(code)) {
    return `${code}: the certificate is signed by an authority Node.js does not know; start DSH with NODE_EXTRA_CA_CERTS=<file.pem> or NODE_OPTIONS=--use-system-ca`
  }
  return code ?? chain.at(-1)?.message ?? String(error)
}

/** Reads a body up to a limit. */
async function boundedBody(response: Response, limit: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  if (response.body === null) return new Uint8Array()
  const reader = response.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > limit) {
      await reader.cancel()
      return undefined
    }
    chunks.push(value)
  }
  return Uint8Array.from(Buffer.concat(chunks))
}

function phaseOf(stage: OAuthStage): AttemptPhase {
  return stage === 'origin' ? 'authorize' : stage
}

/** Builds the network view of one flow. */
export function flowHttp({ send, reach, log, signal, timeoutMs = requestTimeoutMs }: FlowHttpOptions): FlowHttp {
  async function once(
    url: URL,
    stage: OAuthStage,
    request: { method: 'GET' | 'POST'; headers: Readonly<Record<string, string>>; body?: string },
  ): Promise<Response> {
    const phase = phaseOf(stage)
    const limit = AbortSignal.timeout(timeoutMs)
    const both = signal === undefined ? limit : AbortSignal.any([limit, signal])
    try {
      const answer = await send(url, { ...request, signal: both, reach })
      const body = await boundedBody(answer, answerLimitBytes)
      log.record({ phase, url, status: answer.status, detail: body === undefined ? 'answer over 1 MiB' : undefined })
      if (body === undefined) {
        throw new OAuthError('too-large', stage, `${url.origin} sent more than 1 MiB at stage ${stage}: not read`, {
          url,
          status: answer.status,
        })
      }
      const empty = answer.status === 204 || answer.status === 205 || answer.status === 304
      return new Response(empty ? null : body, { status: answer.status, headers: new Headers([...answer.headers]) })
    } catch (error) {
      if (error instanceof OAuthError) throw error
      const forbidden = causes(error).find((cause) => cause.error instanceof ForbiddenTarget)
      if (forbidden !== undefined) {
        log.record({ phase, url, detail: `refused: ${forbidden.message}` })
        throw new OAuthError('unsafe-url', stage, `${url.href} is not used at stage ${stage}: ${forbidden.message}`, {
          url,
          cause: error,
        })
      }
      signal?.throwIfAborted()
      if (limit.aborted) {
        log.record({ phase, url, detail: `no complete answer within ${timeoutMs} ms` })
        throw new OAuthError(
          'timeout',
          stage,
          `${url.origin} gave no complete answer within ${timeoutMs} ms (${stage})`,
          {
            url,
            cause: error,
          },
        )
      }
      const detail = readable(error)
      log.record({ phase, url, detail })
      throw new OAuthError('network', stage, `${url.origin} cannot be reached at stage ${stage}: ${detail}`, {
        url,
        cause: error,
      })
    }
  }

  async function post(url: URL, stage: OAuthStage, headers: Readonly<Record<string, string>>, body: string) {
    const answer = await once(url, stage, { method: 'POST', headers, body })
    if (answer.status >= 300 && answer.status < 400) {
      throw new OAuthError(
        'unsafe-url',
        stage,
        `${url.href} answered with a redirect (HTTP ${answer.status}) at stage ${stage}; it is not followed, because the request carries credentials`,
        { url, status: answer.status },
      )
    }
    return answer
  }

  return {
    async get(url, stage, headers = {}) {
      let at = url
      for (let hops = 0; ; hops++) {
        const answer = await once(at, stage, { method: 'GET', headers: { accept: 'application/json', ...headers } })
        const location = answer.headers.get('location')
        if (answer.status < 300 || answer.status > 399 || location === null) return answer
        const next = URL.parse(location, at.href)
        if (next === null || hops === redirectLimit) {
          throw new OAuthError(
            'unsafe-url',
            stage,
            `${url.href} redirects ${next === null ? 'nowhere' : 'too often'}`,
            {
              url,
              status: answer.status,
            },
          )
        }
        at = next
      }
    },
    post,
    asFetch: (stage) => async (url, init) => {
      const body = init.body instanceof URLSearchParams ? init.body.toString() : ''
      return post(new URL(url), stage, init.headers ?? {}, body)
    },
  }
}
