import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { HttpFailure } from '../failures.ts'
import { duringOperation } from '../operation.ts'
import type { McpFetch } from './mcp-fetch.ts'
import { readEvents } from './sse-events.ts'

/** How long the server may take to name its endpoint. */
const endpointMs = 15_000

/** Options of {@link HttpSseTransport}. */
export interface HttpSseOptions {
  readonly url: URL
  readonly fetch: McpFetch
  /** Longest event accepted, in characters. */
  readonly frameLimit: number
}

/** HTTP+SSE (MCP 2024-11-05): a GET stream names the endpoint to POST to and carries every answer. */
export class HttpSseTransport implements Transport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: Transport['onmessage']
  readonly #options: HttpSseOptions
  readonly #abort = new AbortController()
  #endpoint: URL | undefined
  #version: string | undefined
  #ended = false

  constructor(options: HttpSseOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const limit = new AbortController()
    const timer = setTimeout(() => {
      limit.abort(new Error(`the event stream named no endpoint within ${endpointMs / 1000} s`))
    }, endpointMs)
    try {
      const signal = AbortSignal.any([limit.signal, this.#abort.signal])
      const response = await duringOperation({ method: 'sse', isRequest: false }, () =>
        this.#options.fetch(this.#options.url, { method: 'GET', headers: { accept: 'text/event-stream' }, signal }),
      )
      const type = response.headers.get('content-type') ?? 'none'
      if (!response.ok || response.body === null) {
        throw new HttpFailure(response.status, `the event stream was refused (HTTP ${response.status})`)
      }
      if (!type.toLowerCase().includes('text/event-stream')) {
        await response.body.cancel()
        throw new Error(`no event stream: content type ${type}`)
      }
      await this.#open(response.body as ReadableStream<Uint8Array>, signal)
    } catch (error) {
      this.#abort.abort()
      throw limit.signal.aborted ? limit.signal.reason : error
    } finally {
      clearTimeout(timer)
    }
  }

  #open(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      this.#read(body, resolve)
        .then(
          () => reject(new Error('the event stream ended before it named an endpoint')),
          (error: unknown) => {
            reject(error)
            if (!this.#abort.signal.aborted) this.onerror?.(error as Error)
          },
        )
        .finally(() => this.#finish())
    })
  }

  async #read(body: ReadableStream<Uint8Array>, opened: () => void): Promise<void> {
    for await (const { event, data } of readEvents(body, this.#options.frameLimit)) {
      if (event === 'endpoint') {
        const endpoint = new URL(data, this.#options.url)
        if (endpoint.origin !== this.#options.url.origin) {
          throw new Error(`the server names an endpoint of another origin (${endpoint.origin}); refused`)
        }
        this.#endpoint ??= endpoint
        opened()
      } else if (event === 'message') {
        let message: unknown
        try {
          message = JSON.parse(data)
        } catch (error) {
          this.onerror?.(error as Error)
          continue
        }
        this.onmessage?.(message as JSONRPCMessage)
      }
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#endpoint === undefined || this.#ended) throw new Error('SSE stream closed')
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (this.#version !== undefined) headers['mcp-protocol-version'] = this.#version
    const response = await duringOperation(
      { method: 'method' in message ? message.method : undefined, isRequest: false },
      () =>
        this.#options.fetch(this.#endpoint!, {
          method: 'POST',
          headers,
          body: JSON.stringify(message),
          signal: this.#abort.signal,
        }),
    )
    const body = await response.text()
    if (!response.ok) throw new HttpFailure(response.status, `HTTP ${response.status}: ${body.slice(0, 200)}`)
  }

  setProtocolVersion(version: string): void {
    this.#version = version
  }

  async close(): Promise<void> {
    this.#abort.abort()
    this.#finish()
  }

  #finish(): void {
    if (this.#ended) return
    this.#ended = true
    this.onclose?.()
  }
}
