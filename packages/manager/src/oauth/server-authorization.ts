import type { Authorization, AuthorizationDecision, Challenge } from '../connections/index.ts'
import { bearerChallenge } from './challenge.ts'
import type { BearerChallenge } from './challenge.ts'
import type { ServerFlow } from './flow.ts'
import { changeRecord, readRecord } from './record.ts'
import { missingScopes, unionOfScopes } from './scopes.ts'
import { endedText } from './token-source.ts'
import type { TokenOutcome, TokenSource } from './token-source.ts'

/** Logins with the same needed scopes after which a server that still refuses is believed. */
const stepUpLimit = 2

/** How a refused call waits for a person who grants more scopes. */
export interface StepUpWait {
  /** How long a refused `tools/call` waits for the new login, in milliseconds; 0: it fails at once. */
  readonly waitMs: () => number
  /** Told when a call waits for scopes, and with nothing when none waits any more. */
  readonly onNeeded: (serverId: string, missingScope: string | undefined) => void
}

/** What a server's credentials are to a transport, and to the login around them. */
export interface ServerAuthorization extends Authorization {
  /** The last challenge the server sent. */
  readonly lastChallenge: BearerChallenge | undefined
  /** Calls that wait for a login with more scopes. */
  readonly waiting: number
  /** A login succeeded: waiting calls go on. */
  loggedIn(): void
}

/** Text of a server that wants scopes the login lacks. */
export function insufficientScopeText(missing: string | undefined): string {
  return missing === undefined
    ? 'insufficient scope (the server did not say which): log in again and grant more, or ask its operator for access'
    : `insufficient scope (${missing}): log in again and grant it`
}

function decisionOf(outcome: TokenOutcome): AuthorizationDecision {
  switch (outcome.kind) {
    case 'token':
      return { action: 'retry' }
    case 'login':
      return { action: 'needs-auth', reason: outcome.reason }
    case 'failed':
      return { action: 'fail', reason: outcome.reason }
    default:
      return outcome satisfies never
  }
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** The credentials of one server whose tokens come from `tokens`. */
export function serverAuthorization(flow: ServerFlow, tokens: TokenSource, stepUp: StepUpWait): ServerAuthorization {
  const { store, log, server } = flow
  let lastChallenge: BearerChallenge | undefined
  let waiting = 0
  let stepUps = 0
  let knownSecret: string | undefined
  let loginSignal = Promise.withResolvers<void>()

  function remember(challenge: Challenge): BearerChallenge | undefined {
    const parsed = bearerChallenge(challenge.challenge)
    if (parsed !== undefined) lastChallenge = parsed
    return parsed
  }

  async function noteNeeded(scope: string | undefined): Promise<string | undefined> {
    const record = readRecord(store.current())
    const missing = missingScopes(scope, undefined)
    if (missing === undefined) return undefined
    const needed = unionOfScopes(record.neededScope, missing)
    if (needed !== record.neededScope) {
      try {
        await store.update(async (stored) => {
          const known = unionOfScopes(readRecord(stored).neededScope, missing)
          return { record: changeRecord(stored, { neededScope: known }), result: undefined }
        })
      } catch (error) {
        // The login reads the challenge from memory as well; only a restart in between would forget it.
        log.record({ phase: 'authorize', detail: `the needed scope could not be saved: ${String(error)}` })
      }
    }
    return missingScopes(missing, record.tokens?.scope) ?? missing
  }

  async function waitForLogin(missing: string, waitMs: number, signal: AbortSignal): Promise<'granted' | 'given up'> {
    waiting++
    stepUp.onNeeded(server.id, missing)
    try {
      await unlessAborted(loginSignal.promise, AbortSignal.any([signal, AbortSignal.timeout(waitMs)]))
      return 'granted'
    } catch {
      // The call was cancelled, or its time ran out: it ends with the reason the server gave.
      return 'given up'
    } finally {
      waiting--
      if (waiting === 0) stepUp.onNeeded(server.id, undefined)
    }
  }

  return {
    get lastChallenge() {
      return lastChallenge
    },
    get waiting() {
      return waiting
    },
    loggedIn() {
      const waiters = loginSignal
      loginSignal = Promise.withResolvers()
      waiters.resolve()
    },
    missing: () => tokens.missing(),
    async token(signal) {
      const held = tokens.held()
      const used = held?.access_token
      if (used !== knownSecret) {
        knownSecret = used
        log.addSecret(used)
        log.addSecret(held?.refresh_token)
      }
      if (!tokens.due()) return used
      const outcome = await unlessAborted(tokens.renew(used), signal)
      // A token that could not be replaced may still be good for the rest of its life; if not, the 401 says why.
      return outcome.kind === 'token' ? outcome.token : tokens.held()?.access_token
    },
    async onUnauthorized(challenge) {
      const parsed = remember(challenge)
      if (tokens.byLogin && challenge.token === undefined && tokens.held()?.access_token === undefined) {
        return { action: 'needs-auth', reason: 'the server wants a login: authenticate in Settings → MCP' }
      }
      if (challenge.repeated === true && tokens.isFresh(challenge.token)) {
        // Another refresh would bring another token of the same kind.
        return { action: 'needs-auth', reason: endedText('refused-after-refresh') }
      }
      return decisionOf(await unlessAborted(tokens.renew(challenge.token, parsed), challenge.signal))
    },
    async onForbidden(challenge) {
      const parsed = remember(challenge)
      const explicit = parsed?.error === 'insufficient_scope'
      if (challenge.token === undefined || (!explicit && challenge.method === 'tools/call')) return { action: 'fail' }
      const missing = explicit ? await noteNeeded(parsed.scope) : undefined
      const reason = insufficientScopeText(missing)
      log.record({ phase: 'authorize', url: challenge.serverUrl, status: 403, detail: reason })
      const asked = readRecord(store.current()).requestedScope
      stepUps = missing !== undefined && missingScopes(missing, asked) === undefined ? stepUps + 1 : 0
      if (stepUps >= stepUpLimit) {
        return {
          action: 'fail',
          reason: `the server still answers "insufficient scope (${missing})" after ${stepUpLimit} logins that asked for it: the account or the provider does not give it; ask the server's operator`,
        }
      }
      if (!tokens.byLogin) return { action: 'fail', reason }
      const waitMs = explicit && challenge.method === 'tools/call' ? stepUp.waitMs() : 0
      if (missing !== undefined && waitMs > 0) {
        if ((await waitForLogin(missing, waitMs, challenge.signal)) === 'granted') return { action: 'retry' }
      }
      return { action: 'needs-auth', reason, ...(missing !== undefined && { missingScope: missing }) }
    },
  }
}
