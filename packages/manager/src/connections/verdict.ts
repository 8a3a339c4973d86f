import { AuthorizationNeeded, findCause, SessionExpired, systemCode } from './failures.ts'

/** What a failure says about the connection as a whole. */
export type Verdict =
  /** A person has to log in. */
  | { readonly kind: 'login'; readonly reason: string; readonly missingScope: string | undefined }
  /** The server forgot our session. */
  | { readonly kind: 'expired' }
  /** The server itself may be gone. */
  | { readonly kind: 'outage' }
  /** Nothing: the server lives, and refused. */
  | { readonly kind: 'alive' }

/** Judges a failure by the kinds in its chain of causes. */
export function judge(error: unknown): Verdict {
  const needed = findCause(error, AuthorizationNeeded)
  if (needed !== undefined) return { kind: 'login', reason: needed.message, missingScope: needed.missingScope }
  if (findCause(error, SessionExpired) !== undefined) return { kind: 'expired' }
  const unreachable = error instanceof TypeError && error.message === 'fetch failed'
  return { kind: unreachable || systemCode(error) !== undefined ? 'outage' : 'alive' }
}
