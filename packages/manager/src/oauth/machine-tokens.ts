import type { StoredTokens } from '../config/index.ts'
import type { BearerChallenge } from './challenge.ts'
import type { FlowSettings, ServerFlow } from './flow.ts'
import { useClientCredentials } from './grants.ts'
import type { SigningKey } from './grants.ts'
import { isExpired, readRecord } from './record.ts'
import { configuredClient } from './registration.ts'
import { chooseScope } from './scopes.ts'
import { TokenRefusal, storedTokens } from './token-response.ts'
import { tokenFailure } from './token-source.ts'
import type { TokenOutcome, TokenSource } from './token-source.ts'

/**
 * Tokens a client gets in its own name (RFC 6749 §4.4), for a server whose `oauthGrant` is `client_credentials`: proven
 * by `clientSecretEnv` or by `privateKeyEnv`. In memory only: a new one can always be had.
 */
export function machineTokens(flow: ServerFlow, settings: FlowSettings): TokenSource {
  const { server, declaration, log } = flow
  let tokens: StoredTokens | undefined
  let flight: Promise<TokenOutcome> | undefined

  function missing(): string | undefined {
    if (server.clientId === undefined)
      return 'client credentials need a Client ID: enter it in the settings of this server'
    const { privateKeyEnv } = declaration
    const name = privateKeyEnv ?? server.clientSecretEnv
    if (name === undefined)
      return 'client credentials need clientSecretEnv or privateKeyEnv: name the variable in the settings'
    return settings.environment[name]?.trim()
      ? undefined
      : `the environment variable ${name} is not set: set it before DSH starts`
  }

  function signingKey(): SigningKey | undefined {
    const { privateKeyEnv, privateKeyAlgorithm } = declaration
    const pem = privateKeyEnv === undefined ? undefined : settings.environment[privateKeyEnv]
    return pem === undefined ? undefined : { pem, algorithm: privateKeyAlgorithm }
  }

  async function request(challenge: BearerChallenge | undefined): Promise<TokenOutcome> {
    const lacking = missing()
    const client = configuredClient(server)
    if (lacking !== undefined || client === undefined) {
      return { kind: 'login', code: 'secret-missing', reason: lacking ?? 'no client' }
    }
    try {
      const record = readRecord(flow.store.current())
      const discovery = await flow.discover({ challenge, record })
      const { scope } = chooseScope({
        configured: server.scope,
        recorded: record.scope,
        challenged: challenge?.scope,
        resourceScopes: discovery.resourceScopes,
      })
      const key = signingKey()
      if (client.secret.kind === 'environment') log.addSecret(settings.environment[client.secret.name])
      const resource = declaration.sendResource ? discovery.resource : undefined
      const context = {
        http: await flow.http(),
        issuer: discovery.server,
        client,
        environment: settings.environment,
        resource,
      }
      const answer = await useClientCredentials(context, scope, key)
      log.addSecret(answer.accessToken)
      tokens = storedTokens(answer, settings.clock.now())
      return { kind: 'token', token: answer.accessToken }
    } catch (error) {
      if (error instanceof TokenRefusal && error.status < 500) {
        const code = error.error ?? 'refused'
        const reason = `the provider refused the client credentials: HTTP ${error.status} ${code}; check Client ID, secret or key, and scopes`
        log.record({ phase: 'token-exchange', status: error.status, detail: reason })
        return { kind: 'login', code, reason }
      }
      return tokenFailure(error)
    }
  }

  return {
    byLogin: false,
    held: () => tokens,
    isFresh: (token) => token !== undefined && token === tokens?.access_token,
    due: () => missing() === undefined && (tokens === undefined || isExpired(tokens, settings.clock.now())),
    missing,
    async renew(used, challenge) {
      if (
        tokens?.access_token !== undefined &&
        tokens.access_token !== used &&
        !isExpired(tokens, settings.clock.now())
      ) {
        return { kind: 'token', token: tokens.access_token }
      }
      flight ??= request(challenge).finally(() => {
        flight = undefined
      })
      return flight
    },
  }
}
