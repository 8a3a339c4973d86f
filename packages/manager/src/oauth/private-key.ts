import type { webcrypto } from 'node:crypto'
import { OAuthError } from './errors.ts'

const hashes: Readonly<Record<string, string>> = { '256': 'SHA-256', '384': 'SHA-384', '512': 'SHA-512' }

function parametersOf(algorithm: string) {
  const match = /^(?:(?<kind>RS|PS|ES)(?<bits>256|384|512)|(?<ed>Ed25519|EdDSA))$/.exec(algorithm)
  if (match?.groups?.ed !== undefined) return { name: 'Ed25519' }
  const { kind, bits } = match?.groups ?? {}
  if (kind === undefined || bits === undefined) return undefined
  if (kind === 'ES') return { name: 'ECDSA', namedCurve: bits === '512' ? 'P-521' : `P-${bits}` }
  return { name: kind === 'RS' ? 'RSASSA-PKCS1-v1_5' : 'RSA-PSS', hash: hashes[bits] ?? 'SHA-256' }
}

/**
 * Imports a private key for signing.
 * @param pem PKCS #8 in PEM form.
 * @param algorithm JWS name (RFC 7518 §3.1): RS, PS, ES with 256, 384, 512, or Ed25519.
 * @throws {OAuthError} `secret-missing` when the text is no such key; the key itself is not in the message.
 */
export async function importPKCS8(pem: string, algorithm: string): Promise<webcrypto.CryptoKey> {
  const parameters = parametersOf(algorithm)
  if (parameters === undefined) {
    throw new OAuthError(
      'secret-missing',
      'token-exchange',
      `${algorithm} is no known signature algorithm (ES256, RS256 …)`,
    )
  }
  const body = /-----BEGIN PRIVATE KEY-----([\s\S]+?)-----END PRIVATE KEY-----/.exec(pem.replaceAll('\\n', '\n'))?.[1]
  try {
    if (body === undefined) throw new TypeError('no PKCS #8 block')
    return await crypto.subtle.importKey('pkcs8', Buffer.from(body, 'base64'), parameters, false, ['sign'])
  } catch (error) {
    throw new OAuthError(
      'secret-missing',
      'token-exchange',
      `the private key is not a PKCS #8 PEM key for ${algorithm} ("-----BEGIN PRIVATE KEY-----")`,
      { cause: error },
    )
  }
}
