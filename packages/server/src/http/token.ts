import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export type TokenVerdict = 'valid' | 'wrong' | 'absent'

/**
 * Judges the token of a request: `Authorization: Bearer` (RFC 6750 §2.1) or `x-dsh-mcp-token`. Each one that is presented
 * must be right. Both sides are hashed, so that the comparison takes the same time for every input.
 */
export function createTokenCheck(token: string): (headers: IncomingHttpHeaders) => TokenVerdict {
  const expected = digest(token)
  const matches = (presented: string): boolean => timingSafeEqual(digest(presented), expected)
  return (headers) => {
    const bearer = bearerToken(headers.authorization)
    const own = headers['x-dsh-mcp-token']
    if (bearer === undefined && own === undefined) return 'absent'
    if (bearer !== undefined && !matches(bearer)) return 'wrong'
    if (own !== undefined && !matches(String(own))) return 'wrong'
    return 'valid'
  }
}

/** Another scheme than Bearer is no presented token; it may belong to a proxy on the way. */
function bearerToken(authorization: string | undefined): string | undefined {
  const match = authorization === undefined ? null : /^bearer(?:\s+(.*))?$/i.exec(authorization)
  return match === null ? undefined : (match[1] ?? '').trim()
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
