import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Forwarder extends AsyncDisposable {
  readonly url: string
}

/**
 * A loopback server that adds a token to every request and passes the rest on as it is, `Host` and `Origin` included. For
 * peers that cannot send headers.
 */
export async function startForwarder(target: string, token: string): Promise<Forwarder> {
  const { hostname, port, pathname } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const forwarded = httpRequest({
      hostname,
      port,
      path: pathname,
      method: incoming.method,
      headers: { ...incoming.headers, authorization: `Bearer ${token}` },
    })
    forwarded.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      outgoing.flushHeaders()
      response.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
