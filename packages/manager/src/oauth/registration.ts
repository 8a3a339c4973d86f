import type { AuthorizationServer } from 'oauth4webapi'
import { z } from 'zod'
import type { HttpServer } from '../config/index.ts'
import { registrationMethod } from './client-auth.ts'
import type { SecretSource } from './client-auth.ts'
import { OAuthError, providerErrorCode } from './errors.ts'
import type { FlowHttp } from './http.ts'
import { applicationType } from './origins.ts'
import type { FlowRecord } from './record.ts'

/** The client a login runs as. */
export interface ClientIdentity {
  readonly clientId: string
  readonly kind: 'configured' | 'metadata-document' | 'registered'
  readonly secret: SecretSource
  /** Authentication method agreed at registration. */
  readonly authMethod?: string
  /** Epoch seconds; 0 means never. */
  readonly secretExpiresAt?: number
}

/** The client a person configured, if any. */
export function configuredClient(server: HttpServer): ClientIdentity | undefined {
  if (server.clientId === undefined) return undefined
  return { clientId: server.clientId, kind: 'configured', secret: secretOf(server) }
}

function secretOf(server: HttpServer): SecretSource {
  return server.clientSecretEnv === undefined ? { kind: 'none' } : { kind: 'environment', name: server.clientSecretEnv }
}

/** The dynamically registered client in a record, if any. */
export function registeredClient(record: FlowRecord): ClientIdentity | undefined {
  if (record.clientId === undefined) return undefined
  return {
    clientId: record.clientId,
    kind: 'registered',
    secret: record.clientSecret === undefined ? { kind: 'none' } : { kind: 'issued', value: record.clientSecret },
    authMethod: record.clientAuthMethod,
    secretExpiresAt: record.clientSecretExpiresAt,
  }
}

/** What takes a registered client out of a record, so that the next login registers anew. */
export const noClient: Partial<FlowRecord> = {
  clientId: undefined,
  redirect: undefined,
  clientSecret: undefined,
  clientSecretExpiresAt: undefined,
  clientAuthMethod: undefined,
}

/** The record's fields that name a registered client; a client of another kind leaves them alone. */
export function clientChanges(client: ClientIdentity, redirect: string): Partial<FlowRecord> {
  if (client.kind !== 'registered') return {}
  return {
    clientId: client.clientId,
    redirect,
    clientSecret: client.secret.kind === 'issued' ? client.secret.value : undefined,
    clientSecretExpiresAt: client.secretExpiresAt,
    clientAuthMethod: client.authMethod,
  }
}

/** The client that tokens in a record belong to: the one a refresh must name. */
export function clientOfTokens(server: HttpServer, record: FlowRecord): ClientIdentity | undefined {
  const configured = configuredClient(server)
  const registered = registeredClient(record)
  const { tokensClientId } = record
  if (tokensClientId === undefined) return configured ?? registered
  if (tokensClientId === configured?.clientId) return configured
  if (tokensClientId === registered?.clientId) return registered
  return { clientId: tokensClientId, kind: 'metadata-document', secret: { kind: 'none' } }
}

/** What the choice of a client depends on. */
export interface ClientChoice {
  readonly server: HttpServer
  readonly record: FlowRecord
  readonly issuer: AuthorizationServer
  readonly redirect: string
  /** https URL of this client's metadata document, when the operator publishes one. */
  readonly metadataDocument?: string
  /** A stored client that must not be used again. */
  readonly stale?: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** The client to use, or that a new registration is needed, or that a person has to register one. */
export type ClientPlan =
  | { readonly plan: 'use'; readonly client: ClientIdentity }
  | { readonly plan: 'register'; readonly endpoint: URL; readonly why: string }
  | { readonly plan: 'ask'; readonly message: string }

/**
 * Chooses the client: configured → metadata document (SEP-991) → stored registration for this issuer and redirect → new
 * registration (RFC 7591) → ask. A configured client is never replaced and, once tied to an issuer, never sent to
 * another (SEP-2352).
 * @throws {OAuthError} `issuer-changed` for a configured client whose issuer is not the one it was used with.
 */
export function planClient(choice: ClientChoice): ClientPlan {
  const { server, record, issuer, redirect, metadataDocument, stale, now } = choice
  const configured = configuredClient(server)
  const sameIssuer = record.authorizationServer === undefined || record.authorizationServer === issuer.issuer
  if (configured !== undefined) {
    if (!sameIssuer && record.guessed !== true && record.tokensClientId === configured.clientId) {
      throw new OAuthError(
        'issuer-changed',
        'register',
        `the server now names the authorization server ${issuer.issuer}, but Client ID ${configured.clientId} belongs to ${record.authorizationServer}: if the change is right, log out of this server and log in again`,
      )
    }
    return { plan: 'use', client: configured }
  }
  if (metadataDocument !== undefined && issuer.client_id_metadata_document_supported === true) {
    return { plan: 'use', client: { clientId: metadataDocument, kind: 'metadata-document', secret: { kind: 'none' } } }
  }
  const stored = registeredClient(record)
  const expiry = stored?.secretExpiresAt
  const fresh = expiry === undefined || expiry === 0 || expiry * 1000 > now
  if (stored !== undefined && sameIssuer && record.redirect === redirect && stored.clientId !== stale && fresh) {
    return { plan: 'use', client: stored }
  }
  const endpoint = issuer.registration_endpoint
  if (endpoint === undefined) {
    return {
      plan: 'ask',
      message: `${issuer.issuer} does not register clients by itself (no registration_endpoint): create an OAuth app there with the redirect URI ${redirect}, then enter its Client ID (and the name of the variable with its secret, if it has one) in this server's settings`,
    }
  }
  const why =
    stored === undefined
      ? 'no client yet'
      : !sameIssuer
        ? 'the authorization server changed'
        : record.redirect !== redirect
          ? 'the redirect URI changed'
          : fresh
            ? 'the stored client is not known any more'
            : 'the client secret expired'
  return { plan: 'register', endpoint: new URL(endpoint), why }
}

/** The body of a registration request (RFC 7591 §2). */
export function registrationRequest(serverName: string, redirect: string, issuer: AuthorizationServer) {
  return {
    client_name: `dsh-mcp-manager-${serverName}`,
    redirect_uris: [redirect],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: registrationMethod(issuer.token_endpoint_auth_methods_supported),
    application_type: applicationType(redirect),
  }
}

const answerSchema = z.object({
  client_id: z.string().min(1),
  client_secret: z.string().min(1).optional().catch(undefined),
  client_secret_expires_at: z.number().optional().catch(undefined),
  token_endpoint_auth_method: z.string().optional().catch(undefined),
})

const refusalSchema = z.object({ error: z.string(), error_description: z.string().optional().catch(undefined) })

/**
 * Registers a client.
 * @throws {OAuthError} `registration-refused` with the provider's error code and what to do, `server-error` on 5xx.
 */
export async function registerClient(
  http: FlowHttp,
  serverName: string,
  redirect: string,
  issuer: AuthorizationServer,
  endpoint: URL,
  guessed = false,
): Promise<ClientIdentity> {
  const body = JSON.stringify(registrationRequest(serverName, redirect, issuer))
  const answer = await http.post(
    endpoint,
    'register',
    { 'content-type': 'application/json', accept: 'application/json' },
    body,
  )
  const text = await answer.text()
  const document = parseJson(text)
  const facts = { url: endpoint, status: answer.status }
  const registered = answerSchema.safeParse(document)
  if (answer.status >= 200 && answer.status < 300 && registered.success) {
    const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method } = registered.data
    return {
      clientId: client_id,
      kind: 'registered',
      secret: client_secret === undefined ? { kind: 'none' } : { kind: 'issued', value: client_secret },
      authMethod: token_endpoint_auth_method,
      secretExpiresAt: client_secret_expires_at,
    }
  }
  if (answer.status >= 500) {
    throw new OAuthError(
      'server-error',
      'register',
      `client registration at ${endpoint.href} answered HTTP ${answer.status}: the provider has an outage; try again later`,
      facts,
    )
  }
  const refusal = refusalSchema.safeParse(document)
  const providerError = refusal.success ? providerErrorCode(refusal.data.error) : undefined
  const description = refusal.success ? refusal.data.error_description : undefined
  const said = [providerError, description?.slice(0, 60)].filter((part) => part !== undefined).join(': ')
  const guessNote = guessed ? ' (the endpoint is a guess: this server publishes no metadata)' : ''
  throw new OAuthError(
    'registration-refused',
    'register',
    `${issuer.issuer} refused to register a client: HTTP ${answer.status}${said === '' ? '' : ` ${said}`}${guessNote}. Create an OAuth app there with the redirect URI ${redirect} and enter its Client ID in this server's settings`,
    { ...facts, providerError },
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: the caller reports the status instead.
    return undefined
  }
}
