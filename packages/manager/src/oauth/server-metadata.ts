import type { AuthorizationServer } from 'oauth4webapi'
import { z } from 'zod'
import { urlFault } from './address-safety.ts'
import { OAuthError } from './errors.ts'

const endpoint = z.string().optional().catch(undefined)
const names = z.array(z.string()).optional().catch(undefined)

const schema = z.object({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  registration_endpoint: endpoint,
  revocation_endpoint: endpoint,
  scopes_supported: names,
  grant_types_supported: names,
  code_challenge_methods_supported: names,
  token_endpoint_auth_methods_supported: names,
  revocation_endpoint_auth_methods_supported: names,
  token_endpoint_auth_signing_alg_values_supported: names,
  authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
  client_id_metadata_document_supported: z.boolean().optional().catch(undefined),
})

const endpointNames = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
] as const

/**
 * Reads an authorization server document (RFC 8414 §2). `issuers` are the identifiers the document's URL was built
 * from; its `issuer` must be one of them to the character (RFC 8414 §3.3).
 * @throws {OAuthError} `invalid-metadata`, `issuer-mismatch`, or `unsafe-url` for an endpoint that is not https (or loopback).
 */
export function readServerMetadata(document: unknown, url: URL, issuers: readonly string[]): AuthorizationServer {
  const parsed = schema.safeParse(document)
  if (!parsed.success) {
    throw new OAuthError('invalid-metadata', 'discovery', `the document at ${url.href} names no issuer`, { url })
  }
  const server = parsed.data
  if (!issuers.includes(server.issuer)) {
    throw new OAuthError(
      'issuer-mismatch',
      'discovery',
      `the authorization server document at ${url.href} says issuer ${JSON.stringify(server.issuer)}, expected ${JSON.stringify(issuers[0])}: it is not used; the provider has to correct one of the two`,
      { url },
    )
  }
  for (const name of endpointNames) {
    const value = server[name]
    if (value === undefined) continue
    const parsedUrl = URL.parse(value)
    const fault = parsedUrl === null ? 'it is not a URL' : urlFault(parsedUrl)
    if (fault !== undefined) {
      throw new OAuthError('unsafe-url', 'discovery', `${name} of ${server.issuer} cannot be used: ${fault}`, { url })
    }
  }
  return Object.fromEntries(Object.entries(server).filter(([, value]) => value !== undefined)) as typeof server
}

/**
 * Checks that an authorization code can be asked for with PKCE (MCP authorization, PKCE: metadata without S256 is
 * refused). Guessed endpoints have no metadata and are exempt; S256 is sent to them all the same.
 * @throws {OAuthError} `pkce-unsupported`, or `invalid-metadata` when an endpoint is missing.
 */
export function assertCodeFlow(server: AuthorizationServer, guessed: boolean): void {
  for (const name of ['authorization_endpoint', 'token_endpoint'] as const) {
    if (server[name] === undefined) {
      throw new OAuthError('invalid-metadata', 'discovery', `${server.issuer} publishes no ${name}`, {})
    }
  }
  if (!guessed && server.code_challenge_methods_supported?.includes('S256') !== true) {
    throw new OAuthError(
      'pkce-unsupported',
      'discovery',
      `${server.issuer} does not announce PKCE with S256 (code_challenge_methods_supported), which MCP requires: no login is started; the provider has to announce it`,
      {},
    )
  }
}
