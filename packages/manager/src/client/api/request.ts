import type { ErrorReply } from '../../web/api-types.ts'

/** Why a request gave nothing. */
export type FailureKind =
  /** The host does not answer. */
  | 'offline'
  /** The host answers, the plugin's half in it does not. */
  | 'absent'
  /** The host wants a login first (401). */
  | 'unauthorized'
  /** The host refuses this page (403). */
  | 'forbidden'
  /** The request is wrong or cannot be done now (400, 404, 409, 413). */
  | 'refused'
  /** The host failed (5xx). */
  | 'failed'
  | 'aborted'

/** What an answer tells of a failure beside its message. */
export interface FailureFacts extends ErrorOptions {
  /** The field of the request that is wrong. */
  readonly field?: string | undefined
  /** The failure in Chinese, when the host gave it. */
  readonly chinese?: string | undefined
}

/** A request that failed. The message is the host's own, ready to be shown; empty when it gave none. */
export class RequestFailure extends Error {
  readonly kind: FailureKind
  readonly field: string | undefined
  readonly chinese: string | undefined
  constructor(kind: FailureKind, message: string, facts: FailureFacts = {}) {
    super(message, facts)
    this.name = 'RequestFailure'
    this.kind = kind
    this.field = facts.field
    this.chinese = facts.chinese
  }
}

/** One request to the API; `path` is below `/mcp-manager/api`. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** Sends a request and gives its JSON. @throws {RequestFailure} */
export type Send = <Reply>(request: Request) => Promise<Reply>

export const apiPrefix = '/mcp-manager/api'

/** Sends over `fetch` to the page's own origin. */
export function createSend(fetchIt: typeof fetch = (input, init) => fetch(input, init)): Send {
  return async <Reply>({ method, path, body, signal }: Request) => {
    const response = await answerOf(fetchIt, method, path, body, signal)
    const text = await response.text().catch(() => '')
    const json = parse(text)
    if (response.ok && json !== undefined) return json as Reply
    throw failureOf(response.status, json)
  }
}

async function answerOf(
  fetchIt: typeof fetch,
  method: string,
  path: string,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<Response> {
  try {
    return await fetchIt(`${apiPrefix}${path}`, {
      method,
      cache: 'no-store',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      ...(body === undefined ? (method === 'GET' ? {} : { body: '{}' }) : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (error) {
    if (signal?.aborted === true) throw new RequestFailure('aborted', '', { cause: error })
    throw new RequestFailure('offline', '', { cause: error })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // An empty body or the shell's own page: the route does not exist.
    return undefined
  }
}

function failureOf(status: number, json: unknown): RequestFailure {
  const reply = (typeof json === 'object' && json !== null ? json : {}) as Partial<ErrorReply>
  const message = typeof reply.error === 'string' ? reply.error : ''
  const chinese = typeof reply.chinese === 'string' ? reply.chinese : undefined
  return new RequestFailure(kindOf(status, json !== undefined), message, { field: reply.field, chinese })
}

function kindOf(status: number, isJson: boolean): FailureKind {
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'forbidden'
  if (status >= 500) return 'failed'
  return isJson ? 'refused' : 'absent'
}
