import type { HttpServer, OAuthGrant } from '../config/index.ts'

/** The part of a server's declaration that only OAuth reads, with what an absent member means. */
export interface OAuthDeclaration {
  readonly grant: OAuthGrant
  /** Send `resource` (RFC 8707) when the server publishes one. */
  readonly sendResource: boolean
  readonly privateKeyEnv: string | undefined
  readonly privateKeyAlgorithm: string
}

/** How a server wants to be logged in to. */
export function readDeclaration(server: HttpServer): OAuthDeclaration {
  return {
    grant: server.oauthGrant ?? 'authorization_code',
    sendResource: server.oauthResource ?? true,
    privateKeyEnv: server.privateKeyEnv,
    privateKeyAlgorithm: server.privateKeyAlgorithm ?? 'ES256',
  }
}
