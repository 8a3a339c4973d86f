/** What an authorization request carries. */
export interface AuthorizationRequest {
  readonly endpoint: string
  readonly clientId: string
  readonly redirect: string
  readonly scope: string | undefined
  readonly state: string
  /** S256 challenge (RFC 7636 §4.2). */
  readonly codeChallenge: string
  /** RFC 8707; exactly the published string. */
  readonly resource: string | undefined
}

/**
 * The URL a person's browser is sent to (RFC 6749 §4.1.1). A query the endpoint already has is kept. `offline_access`
 * brings `prompt=consent` along, without which providers ignore it (OpenID Connect Core §11).
 */
export function authorizationUrl(request: AuthorizationRequest): URL {
  const url = new URL(request.endpoint)
  const parameters = url.searchParams
  parameters.set('response_type', 'code')
  parameters.set('client_id', request.clientId)
  parameters.set('redirect_uri', request.redirect)
  parameters.set('code_challenge', request.codeChallenge)
  parameters.set('code_challenge_method', 'S256')
  parameters.set('state', request.state)
  if (request.scope !== undefined) parameters.set('scope', request.scope)
  if (request.scope?.split(' ').includes('offline_access')) parameters.set('prompt', 'consent')
  if (request.resource !== undefined) parameters.set('resource', request.resource)
  return url
}
