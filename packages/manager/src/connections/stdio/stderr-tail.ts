/** How much people see. */
const shown = 2_000
/** How much is kept, so that a secret at the cut is still whole when it is redacted. */
const kept = 4 * shown

/** The end of what a process wrote to its error output; memory is bounded however much it writes. */
export class StderrTail {
  #chunks: Buffer[] = []
  #size = 0

  push(chunk: Buffer): void {
    const part = chunk.length > kept ? chunk.subarray(chunk.length - kept) : chunk
    this.#chunks.push(part)
    this.#size += part.length
    if (this.#size <= 4 * kept && this.#chunks.length < 256) return
    const joined = Buffer.concat(this.#chunks)
    const rest = Buffer.from(joined.subarray(Math.max(0, joined.length - kept)))
    this.#chunks = [rest]
    this.#size = rest.length
  }

  /** The last 2 000 characters, after `redact` has seen them. */
  text(redact: (text: string) => string): string {
    const whole = Buffer.concat(this.#chunks).toString('utf8').slice(-kept)
    return redact(whole).trim().slice(-shown)
  }
}
