import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from 'oauth4webapi'
import type { AuthorizationServer } from 'oauth4webapi'
import type { Reach } from './address-safety.ts'
import type { BearerChallenge } from './challenge.ts'
import { authorizationUrl } from './authorization-url.ts'
import { OAuthError } from './errors.ts'
import type { FlowSettings, ServerFlow } from './flow.ts'
import { assertTarget } from './guarded-fetch.ts'
import { redirectUri } from './origins.ts'
import type { PendingLogin } from './pending-logins.ts'
import { probeChallenge } from './probe.ts'
import { changeRecord, readRecord, tokenAddress } from './record.ts'
import type { FlowRecord } from './record.ts'
import { clientChanges, planClient, registerClient } from './registration.ts'
import type { ClientIdentity } from './registration.ts'
import { chooseScope, unionOfScopes } from './scopes.ts'
import { assertCodeFlow } from './server-metadata.ts'

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

/**
 * The browser is sent to this address: it is judged like those we go to ourselves, so that no server far away has it open an
 * address of this machine.
 * @throws {OAuthError} `unsafe-url`
 */
function assertLoginPage({ issuer, authorization_endpoint: page = '' }: AuthorizationServer, reach: Reach): void {
  try {
    assertTarget(new URL(page), reach)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new OAuthError('unsafe-url', 'authorize', `authorization_endpoint of ${issuer} cannot be used: ${why}`)
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
  assertLoginPage(issuer, await flow.reach())
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
    address: tokenAddress(flow.endpoint.url),
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
