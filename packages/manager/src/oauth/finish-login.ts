import {
  AUTHORIZATION_RESPONSE_ERROR,
  AuthorizationResponseError,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
  validateAuthResponse,
} from 'oauth4webapi'
import type { BearerChallenge } from './challenge.ts'
import { authorizationUrl } from './authorization-url.ts'
import { OAuthError, providerErrorCode } from './errors.ts'
import type { FlowSettings, ServerFlow } from './flow.ts'
import { exchangeCode } from './grants.ts'
import { redirectUri } from './origins.ts'
import type { PendingLogin } from './pending-logins.ts'
import { probeChallenge } from './probe.ts'
import { changeRecord, readRecord } from './record.ts'
import type { FlowRecord } from './record.ts'
import { noClient, planClient, registerClient } from './registration.ts'
import type { ClientIdentity } from './registration.ts'
import { chooseScope, missingScopes, unionOfScopes } from './scopes.ts'
import { assertCodeFlow } from './server-metadata.ts'
import { TokenRefusal, storedTokens } from './token-response.ts'

/** A login ready for the browser. */
export interface PreparedLogin {
  readonly state: string
  readonly authorizeUrl: URL
  readonly login: PendingLogin
}

/** What preparing a login depends on besides the server. */
export interface LoginStart {
  /** Origin the browser returns to. */
  readonly origin: string
  /** The last challenge the connection got, when there was one. */
  readonly challenge: BearerChallenge | undefined
  /** A stored client whose last login never came back. */
  readonly staleClient: string | undefined
}

function clientChanges(client: ClientIdentity, redirect: string): Partial<FlowRecord> {
  if (client.kind !== 'registered') return {}
  return {
    clientId: client.clientId,
    redirect,
    clientSecret: client.secret.kind === 'issued' ? client.secret.value : undefined,
    clientSecretExpiresAt: client.secretExpiresAt,
    clientAuthMethod: client.authMethod,
  }
}

/**
 * Prepares a login: challenge, discovery, client, scope, then the URL for the browser. What was found is saved at once,
 * unless tokens exist: those belong to the client and issuer in the record until the new login succeeds.
 * @throws {OAuthError} what failed, at which stage, and what to do.
 */
export async function prepareLogin(
  flow: ServerFlow,
  settings: FlowSettings,
  start: LoginStart,
): Promise<PreparedLogin> {
  const { server, log, store } = flow
  const record = readRecord(await store.reload())
  const probe = await probeChallenge(flow, settings.send)
  const challenge = probe.challenge ?? start.challenge
  const discovery = await flow.discover({ challenge, record, answersWithoutLogin: probe.answersWithoutLogin })
  const issuer = discovery.server
  assertCodeFlow(issuer, discovery.guessed)
  const redirect = redirectUri(start.origin, server.id)
  const plan = planClient({
    server,
    record,
    issuer,
    redirect,
    metadataDocument: settings.clientMetadataUrl,
    stale: start.staleClient,
    now: settings.clock.now(),
  })
  if (plan.plan === 'ask') throw new OAuthError('registration-unavailable', 'register', plan.message)
  let client: ClientIdentity
  if (plan.plan === 'use') {
    client = plan.client
    log.record({ phase: 'register', detail: `client ${client.kind}, id ${client.clientId}` })
  } else {
    log.record({ phase: 'register', url: plan.endpoint, detail: `registering: ${plan.why}` })
    client = await registerClient(await flow.http(), server.name, redirect, issuer, plan.endpoint, discovery.guessed)
    if (client.secret.kind === 'issued') log.addSecret(client.secret.value)
  }
  const choice = chooseScope({
    configured: server.scope,
    recorded: record.scope,
    challenged: challenge?.error === 'insufficient_scope' ? undefined : challenge?.scope,
    resourceScopes: discovery.resourceScopes,
    serverScopes: issuer.scopes_supported,
    askedBefore: record.requestedScope,
    needed: unionOfScopes(record.neededScope, challenge?.error === 'insufficient_scope' ? challenge.scope : undefined),
    refreshes: true,
  })
  const codeVerifier = generateRandomCodeVerifier()
  const state = generateRandomState()
  log.addSecret(codeVerifier)
  log.addSecret(state)
  const resource = flow.declaration.sendResource ? discovery.resource : undefined
  const authorizeUrl = authorizationUrl({
    endpoint: issuer.authorization_endpoint ?? '',
    clientId: client.clientId,
    redirect,
    scope: choice.scope,
    state,
    codeChallenge: await calculatePKCECodeChallenge(codeVerifier),
    resource,
  })
  log.record({
    phase: 'authorize',
    url: authorizeUrl,
    detail: `browser sent to the provider${discovery.guessed ? ' (guessed endpoint)' : ''}; scope from ${choice.source}: ${choice.scope ?? 'none'}`,
  })
  const found: Partial<FlowRecord> = {
    authorizationServer: issuer.issuer,
    guessed: discovery.guessed ? true : undefined,
    resourceMetadataUrl: discovery.resourceMetadataUrl,
    resource: discovery.resource,
    ...clientChanges(client, redirect),
  }
  await store.update(async (before) => {
    const now = readRecord(before)
    const free = now.tokens?.access_token === undefined && now.tokens?.refresh_token === undefined
    return { record: free ? changeRecord(before, found) : before, result: undefined }
  })
  const login: PendingLogin = {
    server,
    issuer,
    guessed: discovery.guessed,
    client,
    redirect,
    codeVerifier,
    scope: choice.scope,
    resource: discovery.resource,
    resourceMetadataUrl: discovery.resourceMetadataUrl,
  }
  return { state, authorizeUrl, login }
}

/** A finished login. `unsaved` when the tokens could not be written and live in memory only. */
export interface FinishedLogin {
  readonly tokens: ReturnType<typeof storedTokens>
  readonly grantedScope: string | undefined
  readonly unsaved: unknown
}

/**
 * Checks what the provider sent back: `iss` (RFC 9207), then `error`, then `code`.
 * @throws {OAuthError} `issuer-response-mismatch`, `access-denied`, `authorization-refused`, `client-forgotten`, `callback-invalid`.
 */
function checkedCallback(login: PendingLogin, parameters: URLSearchParams): URLSearchParams {
  const { issuer, client } = login
  const received = parameters.get('iss')
  const missing = received === null && issuer.authorization_response_iss_parameter_supported === true
  if (missing || (received !== null && received !== issuer.issuer)) {
    throw new OAuthError(
      'issuer-response-mismatch',
      'authorize',
      `the answer does not come from ${issuer.issuer} (parameter iss is ${missing ? 'missing' : 'another'}): it is not used. If nobody is interfering, the provider has to correct it`,
    )
  }
  try {
    return validateAuthResponse(issuer, { client_id: client.clientId }, parameters, parameters.get('state') ?? '')
  } catch (error) {
    if (error instanceof AuthorizationResponseError && error.code === AUTHORIZATION_RESPONSE_ERROR) {
      const providerError = providerErrorCode(error.error) ?? 'unreadable'
      const description = error.error_description === undefined ? '' : ` (${error.error_description.slice(0, 200)})`
      if (providerError === 'access_denied') {
        throw new OAuthError('access-denied', 'authorize', `access was denied at ${issuer.issuer}${description}`, {
          providerError,
        })
      }
      const forgotten = providerError === 'unauthorized_client' || providerError === 'invalid_client'
      throw new OAuthError(
        forgotten && client.kind === 'registered' ? 'client-forgotten' : 'authorization-refused',
        'authorize',
        `${issuer.issuer} refused the login: ${providerError}${description}${forgotten && client.kind === 'registered' ? '; it does not know this client any more: log in again, a new client will be registered' : ''}`,
        { providerError },
      )
    }
    throw new OAuthError('callback-invalid', 'authorize', 'the answer of the provider cannot be read: log in again', {
      cause: error,
    })
  }
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
        ? '; this provider does not take the resource parameter: set "oauthResource": false for this server'
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
