/** What a stream of newline-delimited JSON turned out to hold. */
export type Frame =
  | { readonly kind: 'line'; readonly text: string }
  /** A line beyond the limit, dropped; `head` and `tail` are its first and last characters. */
  | { readonly kind: 'too-large'; readonly bytes: number; readonly head: string; readonly tail: string }

const newline = 0x0a
const keptOfDropped = 4_096

/**
 * Splits bytes into lines (MCP, stdio transport). The limit counts one line, not a chunk; a longer line is dropped while
 * it arrives, so memory stays below the limit, and reading goes on with the next. Bytes that are no UTF-8 become U+FFFD.
 */
export class FrameReader {
  readonly #limit: number
  #parts: Buffer[] = []
  #size = 0
  #head: Buffer | undefined
  #tail: Buffer = Buffer.alloc(0)

  /** @param limit bytes of one line, without its newline. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Takes a chunk and gives the lines it completes, without empty ones. */
  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = []
    let from = 0
    for (;;) {
      const end = chunk.indexOf(newline, from)
      if (end === -1) break
      this.#add(chunk.subarray(from, end))
      const frame = this.#finish()
      if (frame !== undefined) frames.push(frame)
      from = end + 1
    }
    if (from < chunk.length) this.#add(chunk.subarray(from))
    return frames
  }

  /** Gives what stood after the last newline. */
  end(): Frame | undefined {
    return this.#finish()
  }

  #add(part: Buffer): void {
    this.#size += part.length
    if (this.#head !== undefined) {
      this.#keepTail(part)
      return
    }
    this.#parts.push(part)
    if (this.#size <= this.#limit) return
    const whole = Buffer.concat(this.#parts)
    this.#parts = []
    this.#head = Buffer.from(whole.subarray(0, keptOfDropped))
    this.#keepTail(whole)
  }

  #keepTail(part: Buffer): void {
    const joined = part.length >= keptOfDropped ? part : Buffer.concat([this.#tail, part])
    this.#tail = Buffer.from(joined.subarray(Math.max(0, joined.length - keptOfDropped)))
  }

  #finish(): Frame | undefined {
    const size = this.#size
    const parts = this.#parts
    this.#parts = []
    this.#size = 0
    if (this.#head !== undefined) {
      const frame = {
        kind: 'too-large',
        bytes: size,
        head: this.#head.toString(),
        tail: this.#tail.toString(),
      } as const
      this.#head = undefined
      this.#tail = Buffer.alloc(0)
      return frame
    }
    const line = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    const text = line.toString('utf8')
    return text.trim() === '' ? undefined : { kind: 'line', text: text.endsWith('\r') ? text.slice(0, -1) : text }
  }
}

/** The id of a JSON-RPC response of which only the ends are known; nothing when it stands in neither. */
export function idOfDropped(head: string, tail: string): string | number | undefined {
  const found =
    /^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?\s*"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")\s*,/.exec(head) ??
    /,\s*"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail)
  if (found === null) return undefined
  const id: unknown = JSON.parse(found[1]!)
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
