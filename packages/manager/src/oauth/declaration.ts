import { z } from 'zod'
import type { HttpServer } from '../config/index.ts'

/** How tokens are got: by a person's login, or by the client alone (RFC 6749 §4.4). */
export type GrantKind = 'authorization_code' | 'client_credentials'

/** The part of a server's declaration that only OAuth reads. */
export interface OAuthDeclaration {
  readonly grant: GrantKind
  /** Send `resource` (RFC 8707) when the server publishes one; some providers refuse it. */
  readonly sendResource: boolean
  /** `client_credentials`: name of the variable with a PKCS #8 PEM key to sign assertions with (RFC 7523). */
  readonly privateKeyEnv: string | undefined
  /** Signature algorithm of that key (RFC 7518 §3.1). */
  readonly privateKeyAlgorithm: string
}

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)

const schema = z.looseObject({
  oauthGrant: z.enum(['authorization_code', 'client_credentials']).catch('authorization_code'),
  oauthResource: z.boolean().catch(true),
  privateKeyEnv: variable.optional().catch(undefined),
  privateKeyAlgorithm: z.string().catch('ES256'),
})

/**
 * Reads the OAuth fields of a server record: `oauthGrant` (`authorization_code` or `client_credentials`),
 * `oauthResource` (`false` leaves `resource` out), `privateKeyEnv`, `privateKeyAlgorithm`. Values of another kind count
 * as unset.
 */
export function readDeclaration(server: HttpServer): OAuthDeclaration {
  const fields = schema.parse(server.raw)
  return {
    grant: fields.oauthGrant,
    sendResource: fields.oauthResource,
    privateKeyEnv: fields.privateKeyEnv,
    privateKeyAlgorithm: fields.privateKeyAlgorithm,
  }
}
