import { z } from 'zod'
import { OAuthError } from './errors.ts'

/** Protected-resource metadata (RFC 9728 §2), the part the flow uses. */
export interface ResourceMetadata {
  /** The resource identifier exactly as published; sent unchanged as `resource` (RFC 8707). */
  readonly resource: string
  readonly authorizationServers: readonly string[]
  readonly scopes: readonly string[] | undefined
}

const schema = z.looseObject({
  resource: z.string(),
  authorization_servers: z.array(z.string()).optional().catch(undefined),
  scopes_supported: z.array(z.string()).optional().catch(undefined),
})

/**
 * Whether a published resource identifier covers a server's URL: same scheme, host and port, and a path that is the
 * server's or a whole-segment prefix of it (RFC 9728 §3.3 read for servers that publish one document per origin).
 */
export function coversResource(resource: string, serverUrl: URL): boolean {
  const url = URL.parse(resource)
  if (url === null || url.origin !== serverUrl.origin || url.origin === 'null') return false
  const published = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`
  const asked = serverUrl.pathname.endsWith('/') ? serverUrl.pathname : `${serverUrl.pathname}/`
  return asked.startsWith(published)
}

/**
 * Reads a protected-resource document.
 * @throws {OAuthError} `invalid-metadata` when required members are missing, `resource-mismatch` when it speaks of another resource.
 */
export function readResourceMetadata(document: unknown, url: URL, serverUrl: URL): ResourceMetadata {
  const parsed = schema.safeParse(document)
  if (!parsed.success) {
    throw new OAuthError(
      'invalid-metadata',
      'discovery',
      `the protected-resource metadata at ${url.href} has no "resource" text: the server's publisher has to correct it`,
      { url },
    )
  }
  const { resource, authorization_servers: servers, scopes_supported: scopes } = parsed.data
  if (!coversResource(resource, serverUrl)) {
    throw new OAuthError(
      'resource-mismatch',
      'discovery',
      `the metadata at ${url.href} is for the resource ${resource}, but this server is ${serverUrl.href}: correct the server's URL, or have its publisher correct the document (a scheme changed by a proxy is the usual cause)`,
      { url },
    )
  }
  return { resource, authorizationServers: servers ?? [], scopes }
}
