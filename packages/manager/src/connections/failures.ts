/**
 * The mark by which the engine lets an error pass through its era probe as it is, instead of reading it as an outage
 * (`mcp.authSeamEscape`, observed in @modelcontextprotocol/client 2.4.0).
 */
const passThroughProbe = Symbol.for('mcp.authSeamEscape')

class ProbeProofError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    Object.defineProperty(this, passThroughProbe, { value: true })
  }
}

/** A person has to log in, or a token has to be set. */
export class AuthorizationNeeded extends ProbeProofError {
  override readonly name = 'AuthorizationNeeded'
  readonly missingScope: string | undefined
  constructor(reason: string, missingScope?: string) {
    super(reason)
    this.missingScope = missingScope
  }
}

/** The server does not know our session any more (MCP, Streamable HTTP, session management). */
export class SessionExpired extends ProbeProofError {
  override readonly name = 'SessionExpired'
  constructor() {
    super('the session has expired at the server')
  }
}

/** The server answered in the manner of HTTP+SSE (MCP 2024-11-05). */
export class SpeaksHttpSse extends ProbeProofError {
  override readonly name = 'SpeaksHttpSse'
}

/** The server answered with a status that stands for failure. */
export class HttpFailure extends ProbeProofError {
  override readonly name = 'HttpFailure'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Kind<T> = abstract new (...args: never[]) => T

/** Finds an error of a kind in a chain of causes. */
export function findCause<T>(error: unknown, kind: Kind<T>): T | undefined {
  let current = error
  for (let depth = 0; depth < 10 && current !== null && typeof current === 'object'; depth++) {
    if (current instanceof kind) return current
    const { cause, data } = current as { cause?: unknown; data?: { cause?: unknown } }
    current = cause ?? data?.cause
  }
  return undefined
}

const certificateCodes = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
])

/** What helps against common failures of the network. */
const remedies: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; start the server or check the address',
  ENOTFOUND: 'there is no such host; check the address',
  EAI_AGAIN: 'the name could not be looked up; check the network',
  UND_ERR_CONNECT_TIMEOUT: 'no answer; check the address, the network and the proxy settings',
  ETIMEDOUT: 'no answer; check the address, the network and the proxy settings',
}

/** Codes of the system, of the HTTP library and of TLS; not those the engine gives its own errors. */
const systemCodes = /^(?:E[A-Z0-9]+|UND_ERR_[A-Z_]+|[A-Z_]*CERT[A-Z_]*|UNABLE_TO_[A-Z_]+|ERR_(?:TLS|SSL)[A-Z_]+)$/

/** The code of the system's error (`ECONNREFUSED`, …) in a chain of causes. */
export function systemCode(error: unknown): string | undefined {
  let current = error
  for (let depth = 0; depth < 10 && current !== null && typeof current === 'object'; depth++) {
    const { code, cause, errors, data } = current as {
      code?: unknown
      cause?: unknown
      errors?: unknown
      data?: { cause?: unknown }
    }
    if (typeof code === 'string' && systemCodes.test(code)) return code
    current = cause ?? data?.cause ?? (Array.isArray(errors) ? (errors[0] as unknown) : undefined)
  }
  return undefined
}

/** The engine's words for a refused POST; the status says more. */
const enginePrefix = /^Error POSTing to endpoint: |^Version negotiation (?:probe )?failed: /

function messageOf(error: Error): string {
  const { status } = error as { status?: unknown }
  const message = error.message.replace(enginePrefix, '')
  if (typeof status !== 'number' || message.includes(String(status))) return message
  return message === '' ? `HTTP ${status}` : `HTTP ${status}: ${message}`
}

/** An error in one line: every message of the chain once, with a remedy for untrusted certificates. */
export function describeFailure(error: unknown): string {
  const parts: string[] = []
  let current = error
  for (let depth = 0; depth < 6 && current instanceof Error; depth++) {
    const message = messageOf(current)
    const first = current instanceof AggregateError ? (current.errors[0] as unknown) : undefined
    if (message !== '' && !parts.some((part) => part.includes(message))) parts.push(message)
    current = current.cause ?? first
  }
  if (parts.length === 0) parts.push(typeof error === 'string' ? error : 'unknown error')
  const code = systemCode(error)
  if (code !== undefined && !parts.some((part) => part.includes(code))) parts.push(code)
  if (code !== undefined && certificateCodes.has(code)) {
    parts.push('its certificate is not trusted: start DSH with NODE_EXTRA_CA_CERTS=<file> or NODE_USE_SYSTEM_CA=1')
  }
  const remedy = code === undefined ? undefined : remedies[code]
  if (remedy !== undefined && !parts.includes(remedy)) parts.push(remedy)
  return parts.join(': ').replace(/\s+/g, ' ').trim()
}
