import type { StoredTokens } from '../config/index.ts'
import { StateFileError } from '../config/index.ts'
import type { BearerChallenge } from './challenge.ts'
import { OAuthError } from './errors.ts'

/** How a request for a usable token ended. */
export type TokenOutcome = { readonly kind: 'token'; readonly token: string } | LoginNeeded | TokenFailure

/** Only a new login helps. */
export interface LoginNeeded {
  readonly kind: 'login'
  readonly code: string
  readonly reason: string
}

/** An outage or a refusal that says nothing about the login. Tokens are kept. */
export interface TokenFailure {
  readonly kind: 'failed'
  readonly code: string
  readonly reason: string
}

/** Where the access tokens of one server come from. */
export interface TokenSource {
  /** Whether a person logs in for them. */
  readonly byLogin: boolean
  /** The tokens to use now, if any; expired or not. From memory. */
  held(): StoredTokens | undefined
  /** Whether {@link TokenSource.held} should be replaced before use, and can be. */
  due(): boolean
  /** Gets a token other than `used`; callers at the same time share one request. Never rejects. */
  renew(used: string | undefined, challenge?: BearerChallenge): Promise<TokenOutcome>
  /** Whether a token was issued to this process by the last {@link TokenSource.renew}, and not just found in the file. */
  isFresh(token: string | undefined): boolean
  /** What keeps tokens from being had at all, in words for a person. */
  missing(): string | undefined
}

/** What a person is told when a login has ended. */
export function endedText(code: string): string {
  switch (code) {
    case 'invalid_grant':
      return 'the login ended: the provider does not accept the refresh token any more (invalid_grant); log in again'
    case 'invalid_client':
    case 'unauthorized_client':
      return `the provider does not accept this client any more (${code}); log in again`
    case 'not-saved':
      return 'the rotated token could not be saved: repair the path of the state file, then log in again'
    case 'issuer-changed':
      return 'the server now uses another authorization server; log in again'
    case 'no-refresh-token':
      return 'the access token is refused and the provider gave no refresh token; log in again'
    case 'refused-after-refresh':
      return 'the server refuses a fresh token; log in again, or check that the login is for this server'
    default:
      return `the login ended (${code}); log in again`
  }
}

/** The outcome of a login that has ended, by the code of its end. */
export function loginNeeded(code: string): LoginNeeded {
  return { kind: 'login', code, reason: endedText(code) }
}

/** The outcome of whatever was thrown on the way to a token. */
export function tokenFailure(error: unknown): TokenFailure {
  if (error instanceof OAuthError) return { kind: 'failed', code: error.code, reason: error.message }
  if (error instanceof StateFileError) {
    return { kind: 'failed', code: `state-file-${error.code}`, reason: error.message }
  }
  return { kind: 'failed', code: 'network', reason: error instanceof Error ? error.message : String(error) }
}
