import { allocate, decodeUtf8, encodeUtf8, join, lastNewline, nextNewline } from './streams.ts'

export interface LineReaderOptions {
  /** Longest line in bytes, without its newline. */
  readonly maxLineBytes: number
  /** One complete line, without its newline. Called in order; never re-entered. Must not throw. */
  onLine(line: string): void
  /**
   * A line grew beyond the limit. Called once for it, as soon as that is known; its bytes up to the next newline are dropped.
   * `head` is its beginning, at most {@link HEAD_BYTES} bytes long.
   */
  onOverflow(head: string): void
}

/** How much of an oversized line is kept, so that one can still see what it was. */
const HEAD_BYTES: number = 4096
/** Chunks below this size are copied into blocks, so that a line that drips in byte by byte costs its own size only. */
const SMALL_CHUNK_BYTES = 4096
const FIRST_BLOCK_BYTES = 1024
const LARGEST_BLOCK_BYTES = 65_536

/**
 * Bytes → lines, in linear time: each byte is looked at once for a newline and copied at most twice, however the input is
 * cut into chunks. Only 0x0A ends a line, so U+2028 and U+2029 stay inside of JSON strings, and a character whose bytes
 * lie in different chunks is decoded whole.
 */
export class LineReader {
  readonly #options: LineReaderOptions
  /** The beginning of a line whose end has not arrived: full parts, then the block that is being filled. */
  #parts: Uint8Array[] = []
  #block: Uint8Array | undefined
  #blockLength = 0
  #heldLength = 0
  #dropping = false
  #stopped = false
  #delivering = false
  /** Chunks that arrived while a line was being delivered. */
  #waiting: (Uint8Array | string)[] = []
  #highSurrogate = ''

  constructor(options: LineReaderOptions) {
    this.#options = options
  }

  /** Takes the next chunk and delivers the lines that it completes. */
  push(chunk: Uint8Array | string): void {
    if (this.#stopped) return
    if (this.#delivering) {
      this.#waiting.push(chunk)
      return
    }
    this.#delivering = true
    try {
      this.#take(chunk)
      while (this.#waiting.length > 0) this.#take(this.#waiting.shift()!)
    } finally {
      this.#delivering = false
    }
  }

  /** The input ended: what is left without a newline is the last line. */
  end(): void {
    if (this.#stopped) return
    if (this.#highSurrogate !== '') this.push('\n')
    else if (this.#heldLength > 0) this.#options.onLine(this.#takeHeld())
    this.stop()
  }

  /** Delivers nothing any more, not even the remaining lines of the chunk in hand, and lets go of what was held. */
  stop(): void {
    this.#stopped = true
    this.#waiting = []
    this.#forget()
  }

  #take(chunk: Uint8Array | string): void {
    const bytes = typeof chunk === 'string' ? this.#bytesOf(chunk) : chunk
    const last = lastNewline(bytes)
    if (last < 0) {
      this.#hold(bytes, 0)
      return
    }
    let start = 0
    if (this.#heldLength > 0 || this.#dropping) {
      start = nextNewline(bytes, 0) + 1
      this.#finishHeld(bytes, start - 1)
    }
    if (this.#stopped) return
    if (start <= last) {
      if (last - start <= this.#options.maxLineBytes) this.#deliverTogether(decodeUtf8(bytes, start, last))
      else this.#deliverOneByOne(bytes, start, last)
    }
    this.#hold(bytes, last + 1)
  }

  /** Many short lines: decoding them in one go is much cheaper than one by one. */
  #deliverTogether(text: string): void {
    let start = 0
    for (;;) {
      const end = text.indexOf('\n', start)
      if (end < 0) break
      this.#options.onLine(text.slice(start, end))
      if (this.#stopped) return
      start = end + 1
    }
    this.#options.onLine(start === 0 ? text : text.slice(start))
  }

  #deliverOneByOne(bytes: Uint8Array, from: number, last: number): void {
    for (let start = from; start <= last && !this.#stopped;) {
      const end = nextNewline(bytes, start)
      if (end - start > this.#options.maxLineBytes)
        this.#options.onOverflow(decodeUtf8(bytes, start, Math.min(end, start + HEAD_BYTES)))
      else this.#options.onLine(decodeUtf8(bytes, start, end))
      start = end + 1
    }
  }

  /** The newline of a line that began in an earlier chunk. */
  #finishHeld(bytes: Uint8Array, end: number): void {
    if (this.#dropping) {
      this.#dropping = false
      return
    }
    this.#hold(bytes.subarray(0, end), 0)
    // The line may just have turned out to be too long: then it is dropped, and its newline is here.
    if (this.#dropping) this.#dropping = false
    else this.#options.onLine(this.#takeHeld())
  }

  #hold(bytes: Uint8Array, start: number): void {
    const length = bytes.length - start
    if (length <= 0 || this.#dropping || this.#stopped) return
    if (this.#heldLength + length > this.#options.maxLineBytes) {
      this.#append(bytes, start, Math.min(bytes.length, start + HEAD_BYTES))
      const head = this.#takeHeld(HEAD_BYTES)
      this.#dropping = true
      this.#options.onOverflow(head)
      return
    }
    this.#append(bytes, start, bytes.length)
  }

  #append(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start
    this.#heldLength += length
    if (length >= SMALL_CHUNK_BYTES) {
      this.#closeBlock()
      this.#parts.push(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end))
      return
    }
    if (this.#block !== undefined && this.#block.length - this.#blockLength < length) this.#closeBlock()
    this.#block ??= allocate(Math.min(LARGEST_BLOCK_BYTES, Math.max(FIRST_BLOCK_BYTES, this.#heldLength)))
    this.#block.set(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end), this.#blockLength)
    this.#blockLength += length
  }

  #closeBlock(): void {
    if (this.#block === undefined) return
    const used = this.#block.subarray(0, this.#blockLength)
    // A block that large chunks interrupt early is cut to size, or it would cost many times what it holds.
    this.#parts.push(used.length * 2 < this.#block.length ? new Uint8Array(used) : used)
    this.#block = undefined
    this.#blockLength = 0
  }

  /** The held bytes, or the first `limit` of them, as text; nothing is held afterwards. */
  #takeHeld(limit: number = this.#heldLength): string {
    this.#closeBlock()
    const parts = this.#parts
    const length = Math.min(this.#heldLength, limit)
    this.#forget()
    return decodeUtf8(parts.length === 1 ? parts[0]! : join(parts, length), 0, length)
  }

  #forget(): void {
    this.#parts = []
    this.#block = undefined
    this.#blockLength = 0
    this.#heldLength = 0
  }

  /** Text chunks come from an input with an encoding. Two of them may share a surrogate pair. */
  #bytesOf(chunk: string): Uint8Array {
    const text = this.#highSurrogate + chunk
    const split = isHighSurrogate(text.charCodeAt(text.length - 1))
    this.#highSurrogate = split ? text.slice(-1) : ''
    return encodeUtf8(split ? text.slice(0, -1) : text)
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
