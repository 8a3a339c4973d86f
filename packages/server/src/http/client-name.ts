/** Longest name that attribution keeps, in code points. */
const maxLength = 100

/**
 * Cleans an `x-dsh-mcp-client` header for display: UTF-8 where it is, no control characters, one line, at most 100 code
 * points. `undefined` when nothing is left.
 */
export function readClientName(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const text = asUtf8(header)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  const clipped = Array.from(text).slice(0, maxLength).join('')
  return clipped === '' ? undefined : clipped
}

/** Node reads header bytes as Latin-1. */
function asUtf8(header: string): string {
  if (/^[\x20-\x7e]*$/.test(header)) return header
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'))
  } catch {
    // Not UTF-8: Latin-1 it is.
    return header
  }
}
