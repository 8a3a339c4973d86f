import { AUTHORIZATION_RESPONSE_ERROR, AuthorizationResponseError, validateAuthResponse } from 'oauth4webapi'
import { OAuthError, providerErrorCode } from './errors.ts'
import type { PendingLogin } from './pending-logins.ts'

/**
 * Checks what the provider sent back: `iss` (RFC 9207), then `error`, then `code`.
 * @throws {OAuthError} `issuer-response-mismatch`, `access-denied`, `authorization-refused`, `client-forgotten`, `callback-invalid`.
 */
export function checkedCallback(login: PendingLogin, parameters: URLSearchParams): URLSearchParams {
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
