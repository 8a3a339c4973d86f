import { oauthMessages } from './messages.ts'

/** The step of the flow an error belongs to. */
export type OAuthStage = 'origin' | 'discovery' | 'register' | 'authorize' | 'token-exchange' | 'refresh' | 'revoke'

/** Machine-readable causes. Each has a text in `messages.ts` and a row in `docs/oauth.md`. */
export const oauthErrorCodes = [
  'origin-refused',
  'origin-malformed',
  'unsafe-url',
  'network',
  'timeout',
  'too-large',
  'not-json',
  'server-error',
  'discovery-failed',
  'invalid-metadata',
  'issuer-mismatch',
  'resource-mismatch',
  'pkce-unsupported',
  'issuer-changed',
  'no-login-needed',
  'registration-unavailable',
  'registration-refused',
  'secret-missing',
  'client-auth-unsupported',
  'state-unknown',
  'state-expired',
  'callback-invalid',
  'issuer-response-mismatch',
  'access-denied',
  'authorization-refused',
  'exchange-refused',
  'client-forgotten',
  'provider-unavailable',
  'not-saved',
  'server-gone',
] as const

export type OAuthErrorCode = (typeof oauthErrorCodes)[number]

/** Facts that go with an error. None of them may be a secret. */
export interface OAuthErrorFacts {
  readonly url?: string | URL
  /** HTTP status. */
  readonly status?: number
  /** OAuth error code of the provider (RFC 6749 §4.1.2.1, §5.2), already checked for its character set. */
  readonly providerError?: string
  readonly missingScope?: string
  readonly cause?: unknown
}

/** A step of the flow failed. The message says what failed, at which stage, with which status, and what to do next. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly stage: OAuthStage
  readonly url: string | undefined
  readonly status: number | undefined
  readonly providerError: string | undefined
  readonly missingScope: string | undefined
  constructor(code: OAuthErrorCode, stage: OAuthStage, message: string, facts: OAuthErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = 'OAuthError'
    this.code = code
    this.stage = stage
    this.url = facts.url === undefined ? undefined : String(facts.url)
    this.status = facts.status
    this.providerError = facts.providerError
    this.missingScope = facts.missingScope
  }

  /** What failed and what to do next, in Chinese; without the facts that the message gives. */
  get chinese(): string {
    const { title, next } = oauthMessages[this.code].zh
    return `${title}。${next}`
  }
}

/** An OAuth error code as a provider may send it (RFC 6749 §5.2), or nothing when it holds other characters. */
export function providerErrorCode(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\x21\x23-\x5B\x5D-\x7E]{1,64}$/.test(value) ? value : undefined
}
