import { ClientSecretPost, None } from 'oauth4webapi'
import type { AuthorizationServer, ClientAuth } from 'oauth4webapi'
import { OAuthError } from './errors.ts'

/** How a client proves itself at the token endpoint (RFC 7591 §2), as far as secrets go. */
export type SecretMethod = 'client_secret_post' | 'client_secret_basic' | 'none'

function isSecretMethod(method: string): method is SecretMethod {
  return method === 'client_secret_post' || method === 'client_secret_basic' || method === 'none'
}

/** What the choice depends on. */
export interface ClientAuthFacts {
  /** `token_endpoint_auth_methods_supported`; absent when the server announces nothing. */
  readonly announced: readonly string[] | undefined
  readonly hasSecret: boolean
  /** `token_endpoint_auth_method` of the registration answer. */
  readonly registered?: string
}

/**
 * The method to use: what was registered, else of what the server announces `client_secret_post` before
 * `client_secret_basic`, `client_secret_post` when it announces nothing, `none` without a secret. Nothing when the
 * server takes no method this client has.
 */
export function chooseClientAuth({ announced, hasSecret, registered }: ClientAuthFacts): SecretMethod | undefined {
  if (!hasSecret) return 'none'
  if (registered !== undefined && isSecretMethod(registered) && registered !== 'none') return registered
  if (announced === undefined) return 'client_secret_post'
  return (['client_secret_post', 'client_secret_basic', 'none'] as const).find((method) => announced.includes(method))
}

/** The method to ask for at registration: a public client where the server lets it, else a secret. */
export function registrationMethod(announced: readonly string[] | undefined): SecretMethod {
  if (announced === undefined || announced.includes('none')) return 'none'
  return announced.includes('client_secret_post') ? 'client_secret_post' : 'client_secret_basic'
}

/** A secret, in hand or to be read from the environment at the moment of use. */
export type SecretSource =
  | { readonly kind: 'none' }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'issued'; readonly value: string }

/**
 * Reads a secret now.
 * @throws {OAuthError} `secret-missing` naming the variable.
 */
export function readSecret(
  source: SecretSource,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  switch (source.kind) {
    case 'none':
      return undefined
    case 'issued':
      return source.value
    case 'environment': {
      const value = environment[source.name]?.trim()
      if (value !== undefined && value !== '') return value
      throw new OAuthError(
        'secret-missing',
        'token-exchange',
        `the environment variable ${source.name} (client secret) is not set: set it before DSH starts`,
      )
    }
    default:
      return source satisfies never
  }
}

function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}

/**
 * `client_secret_basic` (RFC 6749 §2.3.1). Encodes what the form encoding has to and no more: `-`, `.` and `_` stay, so
 * that the many servers that do not decode understand ordinary client ids all the same.
 */
function basic(secret: string): ClientAuth {
  return (_server, client, _body, headers) => {
    const credentials = `${formEncoded(client.client_id)}:${formEncoded(secret)}`
    headers.set('authorization', `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`)
  }
}

/**
 * Turns method and secret into what `oauth4webapi` applies to a request.
 * @throws {OAuthError} `client-auth-unsupported` when the server takes none of this client's methods.
 */
export function clientAuthentication(
  server: AuthorizationServer,
  secret: string | undefined,
  registered?: string,
): ClientAuth {
  const announced = server.token_endpoint_auth_methods_supported
  const method = chooseClientAuth({ announced, hasSecret: secret !== undefined, registered })
  switch (method) {
    case 'client_secret_post':
      return ClientSecretPost(secret ?? '')
    case 'client_secret_basic':
      return basic(secret ?? '')
    case 'none':
      return None()
    case undefined:
      throw new OAuthError(
        'client-auth-unsupported',
        'token-exchange',
        `${server.issuer} takes none of client_secret_post, client_secret_basic, none (it announces ${announced?.join(', ')}): use a client for which it does`,
      )
    default:
      return method satisfies never
  }
}
