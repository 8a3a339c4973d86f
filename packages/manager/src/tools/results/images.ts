import type { ImageMediaType } from '@dsh-mcp/host'

export interface DecodedImage {
  readonly data: Uint8Array
  readonly mediaType: ImageMediaType
}

const mediaTypes: Readonly<Record<string, ImageMediaType>> = {
  'image/png': 'image/png',
  'image/jpeg': 'image/jpeg',
  'image/jpg': 'image/jpeg',
  'image/webp': 'image/webp',
  'image/gif': 'image/gif',
}

/** RFC 4648 §4, padded, without white space or URL-safe letters. */
const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** What the first bytes say the image is. */
function sniff(data: Uint8Array): ImageMediaType | undefined {
  const starts = (...bytes: number[]): boolean => bytes.every((byte, index) => data[index] === byte)
  const says = (at: number, letters: string): boolean =>
    Buffer.from(letters, 'latin1').every((byte, index) => data[at + index] === byte)
  if (starts(0x89) && says(1, 'PNG\r\n\u001a\n')) return 'image/png'
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (says(0, 'RIFF') && says(8, 'WEBP')) return 'image/webp'
  return says(0, 'GIF87a') || says(0, 'GIF89a') ? 'image/gif' : undefined
}

/**
 * Decodes one image of a tool result.
 * @throws Error with the reason why it cannot be shown: type, encoding, or bytes that are something else.
 */
export function decodeImage(mimeType: string | undefined, data: unknown): DecodedImage {
  const mediaType = Object.hasOwn(mediaTypes, mimeType ?? '') ? mediaTypes[mimeType ?? ''] : undefined
  if (mediaType === undefined) throw new Error('not PNG, JPEG, WebP or GIF')
  if (typeof data !== 'string' || data === '' || data.length % 4 !== 0 || !base64.test(data)) {
    throw new Error('the data is not canonical base64')
  }
  const bytes = Buffer.from(data, 'base64')
  // unused bits of the last letter must be zero: Buffer ignores them, a stricter reader may not
  const tail = bytes.length % 3
  if (tail !== 0 && bytes.subarray(bytes.length - tail).toString('base64') !== data.slice(-4)) {
    throw new Error('the data is not canonical base64')
  }
  const actual = sniff(bytes)
  if (actual !== mediaType) throw new Error(`the bytes are ${actual ?? 'no such image'}`)
  return { data: bytes, mediaType }
}
