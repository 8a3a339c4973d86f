import {
  PrivateKeyJwt,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  clientCredentialsGrantRequest,
  customFetch,
  refreshTokenGrantRequest,
  revocationRequest,
} from 'oauth4webapi'
import type { AuthorizationServer, ClientAuth } from 'oauth4webapi'
import { importPKCS8 } from './private-key.ts'
import { clientAuthentication, readSecret } from './client-auth.ts'
import type { FlowHttp } from './http.ts'
import type { OAuthStage } from './errors.ts'
import type { ClientIdentity } from './registration.ts'
import { readTokenAnswer } from './token-response.ts'
import type { TokenAnswer } from './token-response.ts'

/** With whom a token request talks, and as whom. */
export interface GrantContext {
  readonly http: FlowHttp
  readonly issuer: AuthorizationServer
  readonly client: ClientIdentity
  readonly environment: Readonly<Record<string, string | undefined>>
  /** RFC 8707; exactly the published string, or nothing. */
  readonly resource: string | undefined
}

function authentication({ issuer, client, environment }: GrantContext): ClientAuth {
  return clientAuthentication(issuer, readSecret(client.secret, environment), client.authMethod)
}

function options({ http, resource }: GrantContext, stage: OAuthStage) {
  return {
    [customFetch]: http.asFetch(stage),
    // Whether a URL may be used is decided in one place, by the guarded fetch: http only on loopback.
    [allowInsecureRequests]: true,
    ...(resource !== undefined && { additionalParameters: { resource } }),
  }
}

/** Exchanges an authorization code (RFC 6749 §4.1.3). `callback` must have passed `validateAuthResponse`. */
export async function exchangeCode(
  context: GrantContext,
  callback: URLSearchParams,
  redirect: string,
  codeVerifier: string,
): Promise<TokenAnswer> {
  const { issuer, client } = context
  const answer = await authorizationCodeGrantRequest(
    issuer,
    { client_id: client.clientId },
    authentication(context),
    callback,
    redirect,
    codeVerifier,
    options(context, 'token-exchange'),
  )
  return readTokenAnswer(answer, 'token-exchange', issuer.token_endpoint ?? issuer.issuer)
}

/** Uses a refresh token (RFC 6749 §6). */
export async function useRefreshToken(context: GrantContext, refreshToken: string): Promise<TokenAnswer> {
  const { issuer, client } = context
  const answer = await refreshTokenGrantRequest(
    issuer,
    { client_id: client.clientId },
    authentication(context),
    refreshToken,
    options(context, 'refresh'),
  )
  return readTokenAnswer(answer, 'refresh', issuer.token_endpoint ?? issuer.issuer)
}

/** A private key to sign client assertions with (RFC 7523 §2.2). */
export interface SigningKey {
  /** PKCS #8 PEM. */
  readonly pem: string
  readonly algorithm: string
}

/** Asks for a token in the client's own name (RFC 6749 §4.4), proven by a secret or by a signed assertion. */
export async function useClientCredentials(
  context: GrantContext,
  scope: string | undefined,
  key: SigningKey | undefined,
): Promise<TokenAnswer> {
  const { issuer, client, resource } = context
  const proof =
    key === undefined ? authentication(context) : PrivateKeyJwt({ key: await importPKCS8(key.pem, key.algorithm) })
  const { additionalParameters: _, ...rest } = options(context, 'token-exchange')
  const parameters = { ...(scope !== undefined && { scope }), ...(resource !== undefined && { resource }) }
  const answer = await clientCredentialsGrantRequest(issuer, { client_id: client.clientId }, proof, parameters, rest)
  return readTokenAnswer(answer, 'token-exchange', issuer.token_endpoint ?? issuer.issuer)
}

/** Asks the provider to revoke a token (RFC 7009). Returns the HTTP status; 200 means revoked. */
export async function revokeToken(context: GrantContext, token: string, hint: 'refresh_token' | 'access_token') {
  const answer = await revocationRequest(
    context.issuer,
    { client_id: context.client.clientId },
    authentication(context),
    token,
    { ...options({ ...context, resource: undefined }, 'revoke'), additionalParameters: { token_type_hint: hint } },
  )
  return answer.status
}
