import { checkedCallback } from './checked-callback.ts'
import { OAuthError } from './errors.ts'
import type { FlowSettings, ServerFlow } from './flow.ts'
import { exchangeCode } from './grants.ts'
import type { PendingLogin } from './pending-logins.ts'
import { changeRecord, readRecord } from './record.ts'
import type { FlowRecord } from './record.ts'
import { clientChanges, noClient } from './registration.ts'
import { missingScopes } from './scopes.ts'
import { TokenRefusal, storedTokens } from './token-response.ts'

/** A finished login. `unsaved` when the tokens could not be written and live in memory only. */
export interface FinishedLogin {
  readonly tokens: ReturnType<typeof storedTokens>
  readonly grantedScope: string | undefined
  readonly unsaved: unknown
}

async function exchange(flow: ServerFlow, settings: FlowSettings, login: PendingLogin, checked: URLSearchParams) {
  const { issuer, client, redirect, codeVerifier } = login
  const resource = flow.declaration.sendResource ? login.resource : undefined
  const context = { http: await flow.http(), issuer, client, environment: settings.environment, resource }
  try {
    return await exchangeCode(context, checked, redirect, codeVerifier)
  } catch (error) {
    if (!(error instanceof TokenRefusal)) throw error
    const forgotten = error.error === 'invalid_client' && client.kind === 'registered'
    const description = error.description === undefined ? '' : ` (${error.description.slice(0, 200)})`
    const hint =
      error.error === 'invalid_target' || description.includes('AADSTS9010010')
        ? '; this provider does not take the resource parameter: untick "Send the resource parameter" of this server ("oauthResource": false)'
        : ''
    const guessNote = login.guessed ? '; the endpoints are a guess, this server publishes no metadata' : ''
    throw new OAuthError(
      forgotten ? 'client-forgotten' : 'exchange-refused',
      'token-exchange',
      `${issuer.issuer} refused to issue a token: HTTP ${error.status} ${error.error ?? 'without an OAuth error'}${description}${forgotten ? '; it does not know this client any more: log in again, a new client will be registered' : ''}${hint}${guessNote}`,
      { url: issuer.token_endpoint, status: error.status, providerError: error.error, cause: error },
    )
  }
}

function finishedRecord(login: PendingLogin, tokens: FinishedLogin['tokens']): Partial<FlowRecord> {
  return {
    tokens,
    authorizationServer: login.issuer.issuer,
    guessed: login.guessed ? true : undefined,
    resourceMetadataUrl: login.resourceMetadataUrl,
    resource: login.resource,
    tokensClientId: login.client.clientId,
    tokensUrl: login.address,
    requestedScope: login.scope,
    neededScope: undefined,
    ended: undefined,
    lastRefreshAt: undefined,
    ...clientChanges(login.client, login.redirect),
  }
}

/**
 * Finishes a login whose `state` was just taken: checks the callback, exchanges the code, saves tokens and client
 * together.
 * @throws {OAuthError} what failed; a registered client the provider has forgotten is dropped from the record first.
 */
export async function finishLogin(
  flow: ServerFlow,
  settings: FlowSettings,
  login: PendingLogin,
  parameters: URLSearchParams,
): Promise<FinishedLogin> {
  const { log, store } = flow
  log.addSecret(parameters.get('code') ?? undefined)
  try {
    const checked = checkedCallback(login, parameters)
    log.record({ phase: 'authorize', detail: 'the browser came back with a code' })
    const answer = await exchange(flow, settings, login, checked)
    log.addSecret(answer.accessToken)
    log.addSecret(answer.refreshToken)
    const tokens = storedTokens(answer, settings.clock.now())
    const grantedScope = answer.scope ?? login.scope
    const lacking = missingScopes(login.scope, answer.scope)
    if (answer.scope !== undefined && lacking !== undefined) {
      log.record({ phase: 'token-exchange', detail: `the provider did not grant: ${lacking}` })
    }
    try {
      await store.update(async (before) => ({
        record: changeRecord(before, finishedRecord(login, tokens)),
        result: undefined,
      }))
      return { tokens, grantedScope, unsaved: undefined }
    } catch (error) {
      if (error instanceof OAuthError) throw error
      log.record({ phase: 'token-exchange', detail: `the tokens could not be saved: ${String(error)}` })
      return { tokens, grantedScope, unsaved: error }
    }
  } catch (error) {
    if (error instanceof OAuthError) {
      log.record({
        phase: error.stage === 'authorize' ? 'authorize' : 'token-exchange',
        status: error.status,
        detail: error.message,
      })
      if (error.code === 'client-forgotten') await dropClient(flow, login.client.clientId)
    }
    throw error
  }
}

/** Forgets a registered client, so that the next login registers anew. Tokens stay. */
async function dropClient({ store, log }: ServerFlow, clientId: string): Promise<void> {
  try {
    await store.update(async (before) => {
      if (readRecord(before).clientId !== clientId) return { record: before, result: undefined }
      return { record: changeRecord(before, noClient), result: undefined }
    })
  } catch (error) {
    // The login's own error is the one to show; the next attempt finds the client stale again.
    log.record({ phase: 'register', detail: `the forgotten client could not be removed: ${String(error)}` })
  }
}
