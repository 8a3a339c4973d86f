import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A running loopback server. Disposing it cuts every connection. */
export interface Listening extends AsyncDisposable {
  readonly origin: string
  readonly port: number
}

/** Key and certificate of a server, in PEM. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** Serves `listener` on 127.0.0.1, over TLS with a certificate; `port` 0 takes any free one. */
export async function listen(listener: RequestListener, port = 0, certificate?: Certificate): Promise<Listening> {
  const server = certificate === undefined ? createServer(listener) : createSecureServer(certificate, listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address() as AddressInfo
  return {
    origin: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${address.port}`,
    port: address.port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Reads a request's body as text. */
export async function bodyText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string
  return text
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}
