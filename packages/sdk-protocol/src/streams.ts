import { Buffer } from 'node:buffer'

/**
 * The seam to the platform: the part of Node's streams that the transport uses, and UTF-8 in both directions. No other
 * file of this package knows of Node.
 */

/** Where frames come from: a Node `Readable`, such as a child's `stdout` or `process.stdin`. */
export interface ByteInput {
  on(event: 'data', listener: (chunk: Uint8Array | string) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'end' | 'close', listener: () => void): unknown
  off(event: 'data', listener: (chunk: Uint8Array | string) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'end' | 'close', listener: () => void): unknown
  readonly readableEnded?: boolean
  readonly destroyed?: boolean
}

/** Where frames go: a Node `Writable`, such as a child's `stdin` or `process.stdout`. */
export interface ByteOutput {
  write(chunk: string | Uint8Array, callback?: (error?: Error | null) => void): boolean
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'drain' | 'finish' | 'close', listener: () => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'drain' | 'finish' | 'close', listener: () => void): unknown
  /** False once it was ended, failed or was destroyed. */
  readonly writable?: boolean
  readonly writableNeedDrain?: boolean
  readonly writableLength?: number
  readonly writableHighWaterMark?: number
}

/** `bytes[start, end)` as text; what is not UTF-8 becomes U+FFFD. */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  return bufferOver(bytes).toString('utf8', start, end)
}

export function encodeUtf8(text: string): Uint8Array {
  return Buffer.from(text, 'utf8')
}

export function byteLengthOf(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}

/** Writes the text's UTF-8 into `bytes` from `start` on; there is room for it. */
export function writeUtf8(bytes: Uint8Array, text: string, start: number): void {
  bufferOver(bytes).write(text, start, 'utf8')
}

/** Memory of its own, for `length` bytes; what it holds at first is not defined. */
export function allocate(length: number): Uint8Array {
  return Buffer.allocUnsafeSlow(length)
}

/** The parts one after the other; `length` is the sum of their lengths. */
export function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  return Buffer.concat(parts, length)
}

/** Index of the last newline (0x0A), or -1. */
export function lastNewline(bytes: Uint8Array): number {
  const end = bytes.length - 1
  return bytes[end] === NEWLINE ? end : bufferOver(bytes).lastIndexOf(NEWLINE)
}

/** Index of the first newline (0x0A) at or after `from`, or -1. */
export function nextNewline(bytes: Uint8Array, from: number): number {
  return bufferOver(bytes).indexOf(NEWLINE, from)
}

const NEWLINE = 0x0a

function bufferOver(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
