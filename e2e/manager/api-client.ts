import { request } from 'node:http'
import type { WebHost } from '@dsh-mcp/testkit'

/** What came back: status, headers and the parsed JSON (or the text). */
export interface ApiAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  // the tests state what they expect of it
  readonly body: unknown
}

export interface ApiRequest {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON unless it is text. */
  readonly body?: unknown
}

/**
 * One request to the manager's API as a program sends it. Uses node:http, because fetch would not send a foreign `Host`.
 * Paths are below `/mcp-manager`.
 */
export function callManager(
  host: Pick<WebHost, 'port'>,
  method: string,
  path: string,
  options: ApiRequest = {},
): Promise<ApiAnswer> {
  const { body } = options
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const headers = {
    ...(text !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    }),
    ...options.headers,
  }
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: host.port, method, path: `/mcp-manager${path}`, headers },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const received = Buffer.concat(chunks).toString('utf8')
          let parsed: unknown = received
          if (String(response.headers['content-type']).startsWith('application/json')) parsed = JSON.parse(received)
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parsed })
        })
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })
}
