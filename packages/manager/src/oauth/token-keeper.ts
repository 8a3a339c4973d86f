import type { StoredTokens } from '../config/index.ts'
import type { BearerChallenge } from './challenge.ts'
import { OAuthError } from './errors.ts'
import type { FlowSettings, ServerFlow } from './flow.ts'
import { useRefreshToken } from './grants.ts'
import { issuerStillNamed } from './issuer-check.ts'
import { changeRecord, isExpired, readRecord } from './record.ts'
import type { FlowRecord } from './record.ts'
import { refreshPause } from './refresh-pause.ts'
import { clientOfTokens, noClient } from './registration.ts'
import { TokenRefusal, storedTokens } from './token-response.ts'
import { endedText, loginNeeded, tokenFailure } from './token-source.ts'
import type { TokenFailure, TokenOutcome, TokenSource } from './token-source.ts'

/**
 * The tokens of one login: refreshed by one flight at a time in this process, and one at a time across processes. The
 * record is re-read under the lock first: a newer token of another process is taken as it is, and a refresh always
 * spends the newest refresh token.
 */
export interface TokenKeeper extends TokenSource {
  /** Why the login ended, if it did. */
  ended(): { readonly code: string; readonly at: number } | undefined
  /** Keeps the tokens of a login that could not be saved. */
  holdUnsaved(tokens: StoredTokens): void
  /** Forgets what is held in memory: a new login or a logout made it worthless. */
  reset(): void
  /** Result of the last refresh in this process. */
  readonly last: { at: number | undefined; error: string | undefined }
  /** Resolves when no refresh is under way. */
  settled(): Promise<void>
}

/** Refusals after which the refresh token is worthless (RFC 6749 §5.2). */
const definitive = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client', 'unsupported_grant_type'])
/** Worn-out access tokens kept in mind. */
const rememberedTokens = 50

interface Unsaved {
  readonly tokens: StoredTokens
  /** Refresh token in the file when the save failed: once the file holds another, it is newer than ours. */
  readonly replaced: string | undefined
  /** The provider rotated: the file's refresh token is spent, and ours could not be written. */
  readonly rotated: boolean
}

/** Keeps the tokens of one server. */
export function tokenKeeper(flow: ServerFlow, settings: FlowSettings): TokenKeeper {
  const { clock } = settings
  const { store, log } = flow
  const last: TokenKeeper['last'] = { at: undefined, error: undefined }
  let unsaved: Unsaved | undefined
  let fresh: string | undefined
  /** Tokens that were refused or ran out; whatever the file says, they are not taken again. */
  const worn = new Set<string>()
  /** A refusal that could not be written down: the refresh token it was about, and the code. */
  let refused: { readonly token: string; readonly code: string } | undefined
  let flight: Promise<TokenOutcome> | undefined
  const pause = refreshPause(clock)

  /** The record, with what could not be saved laid over it. */
  function effective(record: FlowRecord): FlowRecord {
    if (unsaved === undefined) return record
    if ((record.tokens?.refresh_token ?? '') !== (unsaved.replaced ?? '')) {
      unsaved = undefined
      return record
    }
    return { ...record, tokens: unsaved.tokens, ended: undefined }
  }

  function current(): FlowRecord {
    return effective(readRecord(store.current()))
  }

  /** One refresh, under the lock from re-reading to saving. */
  async function refresh(): Promise<TokenOutcome> {
    const before = current()
    const issuer = await flow.issuerOf(before)
    let rotated: { tokens: StoredTokens; spent: string } | undefined
    try {
      const outcome = await store.update<TokenOutcome>(async (stored) => {
        const keep = (outcome: TokenOutcome) => ({ record: stored, result: outcome })
        const record = effective(readRecord(stored))
        const { tokens } = record
        const access = tokens?.access_token
        if (isUsable(tokens)) {
          fresh = undefined
          return keep({ kind: 'token', token: tokens.access_token })
        }
        if (unsaved?.rotated === true) return keep(loginNeeded('not-saved'))
        if (record.ended !== undefined) return keep(loginNeeded(record.ended.code))
        const spent = tokens?.refresh_token
        if (spent === undefined || spent === '') return keep(loginNeeded('no-refresh-token'))
        if (spent === refused?.token) return keep(loginNeeded(refused.code))
        if (record.authorizationServer !== before.authorizationServer) {
          return keep({
            kind: 'failed',
            code: 'issuer-changed',
            reason: 'another login changed the provider: trying again',
          })
        }
        const client = clientOfTokens(flow.server, record)
        if (client === undefined) return keep(loginNeeded('client-unknown'))
        const context = { http: await flow.http(), issuer, client, environment: settings.environment }
        log.addSecret(spent)
        log.addSecret(access)
        try {
          const answer = await useRefreshToken({ ...context, resource: flow.resourceOf(record) }, spent)
          log.addSecret(answer.accessToken)
          log.addSecret(answer.refreshToken)
          const now = clock.now()
          const next = storedTokens(answer, now, tokens)
          rotated = { tokens: next, spent }
          fresh = answer.accessToken
          const changes = { tokens: next, lastRefreshAt: now, tokensClientId: client.clientId, ended: undefined }
          return { record: changeRecord(stored, changes), result: { kind: 'token', token: answer.accessToken } }
        } catch (error) {
          if (!(error instanceof TokenRefusal)) throw error
          const code = error.error
          log.record({ phase: 'refresh', status: error.status, detail: `refused: ${code ?? 'no OAuth error'}` })
          if (code !== undefined && definitive.has(code)) {
            last.error = code
            refused = { token: spent, code }
            const ended = { code, at: clock.now() }
            const forgotten = code !== 'invalid_grant' && client.kind === 'registered' ? noClient : {}
            return { record: changeRecord(stored, { ...forgotten, ended }), result: loginNeeded(code) }
          }
          return keep({
            kind: 'failed',
            code: code ?? 'provider-unavailable',
            reason: `the provider answered a refresh with HTTP ${error.status}${code === undefined ? '' : ` ${code}`}; the login is kept, the next attempt follows`,
          })
        }
      })
      if (rotated !== undefined) unsaved = undefined
      return outcome
    } catch (error) {
      if (rotated === undefined || error instanceof OAuthError) throw error
      const { tokens, spent } = rotated
      unsaved = { tokens, replaced: spent, rotated: tokens.refresh_token !== spent }
      log.record({ phase: 'refresh', detail: `the new tokens could not be saved: ${String(error)}` })
      last.error = 'not-saved'
      return { kind: 'token', token: tokens.access_token ?? '' }
    }
  }

  function isUsable(tokens: StoredTokens | undefined): tokens is StoredTokens & { access_token: string } {
    const access = tokens?.access_token
    return tokens !== undefined && access !== undefined && !worn.has(access) && !isExpired(tokens, clock.now())
  }

  async function attempt(challenge: BearerChallenge | undefined): Promise<TokenOutcome> {
    const outage = pause.outcome()
    if (outage !== undefined) return outage
    try {
      const record = effective(readRecord(await store.reload()))
      if (isUsable(record.tokens)) {
        fresh = undefined
        return { kind: 'token', token: record.tokens.access_token }
      }
      if (challenge !== undefined && !(await issuerStillNamed(flow, record, challenge))) {
        log.record({
          phase: 'refresh',
          detail: `not sent: the server does not name ${record.authorizationServer} any more`,
        })
        return loginNeeded('issuer-changed')
      }
      const outcome = await refresh()
      if (outcome.kind === 'token') {
        // What was found under the lock may be newer than what this process has read.
        if (fresh === undefined) await store.reload()
        if (last.error !== 'not-saved') last.error = undefined
        last.at = clock.now()
        pause.end()
      }
      if (outcome.kind === 'failed') return postponed(outcome)
      return outcome
    } catch (error) {
      const failure = tokenFailure(error)
      log.record({ phase: 'refresh', detail: failure.reason })
      return postponed(failure)
    }
  }

  function postponed(outcome: TokenFailure): TokenFailure {
    last.error = outcome.code
    pause.begin(outcome)
    return outcome
  }

  function ended() {
    return unsaved?.rotated === true ? undefined : current().ended
  }

  return {
    byLogin: true,
    last,
    held: () => current().tokens,
    isFresh: (token) => token !== undefined && token === fresh,
    missing() {
      const end = ended()
      if (end !== undefined) return endedText(end.code)
      return current().tokens?.access_token === undefined
        ? 'not logged in yet: authenticate in Settings → MCP'
        : undefined
    },
    due() {
      const { tokens } = current()
      const renewable = tokens?.refresh_token !== undefined && tokens.refresh_token !== ''
      return renewable && ended() === undefined && unsaved?.rotated !== true && !isUsable(tokens)
    },
    async renew(used, challenge) {
      if (used !== undefined) worn.add(used)
      for (const oldest of worn) {
        if (worn.size <= rememberedTokens) break
        worn.delete(oldest)
      }
      for (let round = 0; ; round++) {
        flight ??= attempt(challenge).finally(() => {
          flight = undefined
        })
        const outcome = await flight
        // A flight that began before this request was refused may bring back the very token that was refused.
        if (outcome.kind !== 'token' || outcome.token !== used) return outcome
        if (round === 2) return loginNeeded('refused-after-refresh')
      }
    },
    ended,
    holdUnsaved(tokens) {
      unsaved = { tokens, replaced: readRecord(store.current()).tokens?.refresh_token, rotated: true }
      last.error = 'not-saved'
    },
    reset() {
      unsaved = undefined
      refused = undefined
      last.error = undefined
      pause.end()
    },
    async settled() {
      await flight
    },
  }
}
