import { allocate, byteLengthOf, writeUtf8 } from './streams.ts'

/**
 * `JSON.stringify` copies and escapes character by character, which is most of the work of sending an image as base64. A
 * large string without anything to escape is written to the output's bytes as it is.
 */

/** From here on (UTF-16 units) a string is large. */
const LARGE_STRING = 65_536
/** How far into a value {@link holdsLargeString} looks: a prompt's image is at depth 3. */
const DEPTH = 4
const MEMBERS = 32
/** Stands in the JSON text where a large string goes; its random part keeps it apart from what people write. */
const PLACE = `large string ${crypto.randomUUID()}`

/** Whether a large string is easily found in the value. Looks at a few members only, so it may miss one. */
export function holdsLargeString(value: unknown, depth: number = DEPTH): boolean {
  if (typeof value === 'string') return value.length >= LARGE_STRING
  if (typeof value !== 'object' || value === null || depth === 0) return false
  let members = 0
  for (const key in value) {
    if (holdsLargeString((value as Record<string, unknown>)[key], depth - 1)) return true
    if (++members === MEMBERS) break
  }
  return false
}

/**
 * The bytes of `head`, the value as JSON, and `tail`; the same bytes that `JSON.stringify` leads to. Gives `undefined` when
 * a large string of the value has to be escaped after all.
 *
 * @throws TypeError when the value cannot be serialised (a cycle, a BigInt)
 */
export function encodeWithLargeStrings(head: string, value: unknown, tail: string): Uint8Array | undefined {
  const large: string[] = []
  const text = JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== 'string' || member.length < LARGE_STRING || !member.isWellFormed()) return member
    large.push(member)
    return PLACE
  }) as string | undefined
  if (text === undefined) return undefined
  const texts = `${head}${text}${tail}`.split(PLACE)
  if (texts.length !== large.length + 1) return undefined
  const pieces = texts.flatMap((piece, index) => (index === 0 ? [piece] : [large[index - 1]!, piece]))
  const lengths = pieces.map(byteLengthOf)
  const bytes = allocate(lengths.reduce((sum, length) => sum + length, 0))
  let start = 0
  for (const [index, piece] of pieces.entries()) {
    writeUtf8(bytes, piece, start)
    const end = start + lengths[index]!
    if (index % 2 === 1 && hasEscapes(bytes, start, end)) return undefined
    start = end
  }
  return bytes
}

/** How many words of four bytes are looked at before the first result is used. */
const BLOCK = 1024

/** Whether JSON has to escape a byte of the range: a control character, a quote or a backslash (RFC 8259 §7). */
function hasEscapes(bytes: Uint8Array, start: number, end: number): boolean {
  const firstWord = Math.min(end, (start + 3) & ~3)
  const lastWord = Math.max(firstWord, end & ~3)
  if (anyEscape(bytes, start, firstWord) || anyEscape(bytes, lastWord, end)) return true
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + firstWord, (lastWord - firstWord) >> 2)
  for (let from = 0; from < words.length; from += BLOCK) {
    if (anyEscapeInWords(words, from, Math.min(words.length, from + BLOCK))) return true
  }
  return false
}

/**
 * Four bytes at a time. `(x - 0x01…) & ~x & 0x80…` is not zero exactly when a byte of `x` is zero; with `x` as the word
 * compared by exclusive or, when a byte equals the one looked for; with 0x20 taken away, when one is below 0x20.
 */
function anyEscapeInWords(words: Uint32Array, from: number, to: number): boolean {
  let found = 0
  for (let index = from; index < to; index++) {
    const word = words[index]!
    const quote = word ^ 0x22222222
    const backslash = word ^ 0x5c5c5c5c
    found |= ((word - 0x20202020) & ~word) | ((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash)
  }
  return (found & 0x80808080) !== 0
}

function anyEscape(bytes: Uint8Array, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    const byte = bytes[index]!
    if (byte < 0x20 || byte === 0x22 || byte === 0x5c) return true
  }
  return false
}
