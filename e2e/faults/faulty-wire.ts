import { createServer, connect, type AddressInfo, type Socket } from 'node:net'

/** How a wire treats what passes. */
export type WireFault =
  /** Nothing is wrong. */
  | { readonly kind: 'none' }
  /** Connections that stand are cut, new ones are cut at once. */
  | { readonly kind: 'cut' }
  /** Connections that stand are cut, new ones get this many bytes of an answer and are then cut. */
  | { readonly kind: 'cut-after'; readonly bytes: number }
  /** Every chunk comes late by so many milliseconds. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Accepted, and never answered. */
  | { readonly kind: 'half-open' }
  /** As after a pulled plug: connections that stand stay, new ones are accepted, and nothing passes any more. */
  | { readonly kind: 'silent' }
  /** Answered with bytes that are no HTTP. */
  | { readonly kind: 'garbage'; readonly bytes: string | Uint8Array }

/** A TCP relay to an HTTP server whose fault is changed while it runs. */
export interface FaultyWire extends AsyncDisposable {
  /** The server's address through the wire. */
  readonly url: string
  /** Sets the fault; connections that stand are dropped, except for `slow` and `silent`. */
  become(fault: WireFault): void
  /** How often the fault of now was met: by a new connection, or by bytes on one that stands. */
  met(): number
}

/** Starts a relay on a free port of 127.0.0.1. */
export async function startFaultyWire(target: URL): Promise<FaultyWire> {
  let fault: WireFault = { kind: 'none' }
  let met = 0
  const sockets = new Set<Socket>()
  const drop = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    return socket
  }

  const server = createServer((near) => {
    keep(near)
    met++
    switch (fault.kind) {
      case 'cut':
        near.destroy()
        return
      case 'half-open':
      case 'silent':
        near.resume()
        return
      case 'garbage':
        near.end(fault.bytes)
        return
      case 'none':
      case 'slow':
      case 'cut-after': {
        const far = keep(connect(Number(target.port), target.hostname))
        let left = fault.kind === 'cut-after' ? fault.bytes : Infinity
        const isSilent = (): boolean => fault.kind === 'silent'
        near.on('data', (chunk) => {
          met++
          if (!isSilent()) far.write(chunk)
        })
        far.on('data', (chunk: Buffer) => {
          if (isSilent()) return
          const part = chunk.subarray(0, Math.min(chunk.length, left))
          left -= part.length
          const pass = (): void => {
            if (near.destroyed) return
            near.write(part)
            if (left <= 0) near.destroySoon()
          }
          if (fault.kind === 'slow') setTimeout(pass, fault.ms)
          else pass()
        })
        near.on('close', () => far.destroy())
        far.on('close', () => near.destroySoon())
      }
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${target.pathname}`,
    become(next) {
      fault = next
      met = 0
      if (next.kind !== 'slow' && next.kind !== 'silent') drop()
    },
    met: () => met,
    async [Symbol.asyncDispose]() {
      drop()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
