import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** One JSON-RPC message, as far as the server looks at it. */
export interface OddMessage {
  readonly id?: string | number
  readonly method?: string
  readonly params?: { readonly name?: string; readonly arguments?: Readonly<Record<string, unknown>> }
}

/** One request that reached the server. */
export interface OddExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly message: OddMessage
  /** Sends a JSON-RPC result. */
  result(value: object, headers?: Record<string, string>): void
  /** Sends any answer. */
  plain(status: number, body?: string, headers?: Record<string, string>): void
}

/** Handles an exchange itself (and returns `true`), or leaves it to the ordinary server. */
export type Odd = (exchange: OddExchange) => boolean | Promise<boolean>

/** A running MCP server over Streamable HTTP (2025-11-25) whose behaviour is changed by `odd`, also while it runs. */
export interface OddHttp extends AsyncDisposable {
  readonly url: string
  /** `METHOD jsonrpc-method` of each request, in order. */
  readonly seen: string[]
  readonly requests: IncomingMessage[]
  /** Ids of sessions it knows; clear it to let them expire. */
  readonly sessions: Set<string>
  odd: Odd
}

async function bodyOf(request: IncomingMessage): Promise<OddMessage> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text === '' ? {} : (JSON.parse(text) as OddMessage)
}

/** Starts it on a free port of 127.0.0.1, with a certificate over TLS. Its tools: `echo {text}` and `sleep {ms}`. */
export async function startOddHttp(
  odd: Odd = () => false,
  certificate?: { readonly key: string; readonly cert: string },
): Promise<OddHttp> {
  const sessions = new Set<string>()
  const seen: string[] = []
  const requests: IncomingMessage[] = []
  let count = 0
  const peer = { odd }

  function ordinary({ request, message, result, plain }: OddExchange): void {
    const session = request.headers['mcp-session-id']
    if (request.method === 'GET') return plain(405)
    if (request.method === 'DELETE') {
      if (typeof session === 'string') sessions.delete(session)
      return plain(200)
    }
    if (message.method === 'initialize') {
      const id = `session-${++count}`
      sessions.add(id)
      const value = {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'odd', version: '1' },
      }
      return result(value, { 'mcp-session-id': id })
    }
    if (typeof session !== 'string')
      return plain(400, '{"jsonrpc":"2.0","error":{"code":-32000,"message":"no session"},"id":null}')
    if (!sessions.has(session)) return plain(404, 'session not found')
    if (message.id === undefined) return plain(202)
    if (message.method === 'tools/list') {
      const tool = (name: string): object => ({ name, inputSchema: { type: 'object' } })
      return result({ tools: [tool('echo'), tool('sleep')] })
    }
    if (message.method === 'tools/call') {
      const args = message.params?.arguments ?? {}
      const text = typeof args['text'] === 'string' ? args['text'] : 'slept'
      const answer = (): void => result({ content: [{ type: 'text', text }] })
      if (message.params?.name === 'sleep') setTimeout(answer, Number(args['ms']))
      else answer()
      return undefined
    }
    return plain(
      200,
      JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32_601, message: 'no such method' } }),
      {
        'content-type': 'application/json',
      },
    )
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const message = await bodyOf(request)
    seen.push(`${request.method} ${message.method ?? ''}`.trim())
    requests.push(request)
    const plain = (status: number, body = '', headers: Record<string, string> = {}): void => {
      response.writeHead(status, headers).end(body)
    }
    const exchange: OddExchange = {
      request,
      response,
      message,
      plain,
      result: (value, headers = {}) =>
        plain(200, JSON.stringify({ jsonrpc: '2.0', id: message.id, result: value }), {
          'content-type': 'application/json',
          ...headers,
        }),
    }
    if (!(await peer.odd(exchange))) ordinary(exchange)
  }

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error))
  }
  const server = certificate === undefined ? createServer(listener) : createTlsServer(certificate, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(peer, {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}/mcp`,
    seen,
    requests,
    sessions,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  })
}
