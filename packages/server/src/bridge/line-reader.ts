/** Longest line in bytes: the largest body an endpoint can be configured to take. */
export const maxLineBytes = 64 * 1024 * 1024

const lineFeed = 0x0a

/**
 * Splits a byte stream into lines without their `\n`. Every byte is looked at once, however the stream is cut. A line
 * beyond the limit is reported once, its bytes are dropped, and reading goes on after it.
 */
export function createLineReader(
  onLine: (line: Buffer) => void,
  onOversized: () => void,
  limit: number = maxLineBytes,
): { push(chunk: Buffer): void; end(): void } {
  let parts: Buffer[] = []
  let size = 0
  let skipping = false

  const take = (part: Buffer): void => {
    if (skipping) return
    size += part.length
    if (size > limit) {
      skipping = true
      parts = []
      onOversized()
    } else if (part.length > 0) parts.push(part)
  }
  const finish = (): void => {
    const line = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    const complete = !skipping
    parts = []
    size = 0
    skipping = false
    if (complete) onLine(line)
  }

  return {
    push(chunk) {
      let from = 0
      for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
        take(chunk.subarray(from, at))
        finish()
        from = at + 1
      }
      if (from < chunk.length) take(chunk.subarray(from))
    },
    end() {
      if (size > 0) finish()
    },
  }
}
