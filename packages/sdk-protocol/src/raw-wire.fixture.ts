import { PassThrough } from 'node:stream'
import type { Diagnostic } from './diagnostics.ts'
import { JsonRpcLineTransport, type JsonRpcLineTransportOptions } from './transport.ts'

/** A transport under test whose other end is the test itself: raw lines in, parsed frames out. */
export function rawWire(options: JsonRpcLineTransportOptions = {}) {
  const input = new PassThrough()
  const output = new PassThrough()
  const diagnostics: Diagnostic[] = []
  const transport = new JsonRpcLineTransport(input, output, {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  })
  let text = ''
  output.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const frames = (): Record<string, unknown>[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  return {
    input,
    output,
    transport,
    diagnostics,
    /** What was sent so far. */
    frames,
    /** Waits until `count` frames were sent. */
    async sent(count: number): Promise<Record<string, unknown>[]> {
      while (frames().length < count) await turn()
      return frames()
    },
    /** Gives raw text to the transport and lets it be handled. */
    async receive(data: string | Uint8Array): Promise<void> {
      input.write(data)
      await turn()
    },
  }
}

/** One full turn of the event loop: everything that was due has happened. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
