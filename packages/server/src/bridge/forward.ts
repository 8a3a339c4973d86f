import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import { createEventReader } from './event-stream.ts'
import { brokenOff, tokenRefused, unreachable } from './endpoint.ts'
import type { Target } from './endpoint.ts'
import type { Line } from './line.ts'

export interface Forwarding {
  readonly agent: Agent
  readonly clientName: string | undefined
  /** Receives each message from the endpoint, one line without its line feed. */
  readonly write: (message: Buffer | string) => void
  /** Called once: with a sentence when the endpoint gave no answer that could be passed on. */
  readonly done: (problem?: string) => void
}

// Loading node:http as an ES module costs 35 ms more than this: its namespace evaluates getters that load a fetch client.
const http = process.getBuiltinModule('node:http')

/** How a connection fails that stood: what was sent may have arrived. */
const brokeOff: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE'])

/**
 * Sends one line to the endpoint and passes on what comes back, whichever shape the reply has. No time limit: a call may
 * take hours. Returns what gives it up.
 */
export function forward(line: Line, target: Target, forwarding: Forwarding): () => void {
  const { agent, clientName, write, done } = forwarding
  let settled = false
  const settle = (problem?: string): void => {
    if (settled) return
    settled = true
    done(problem)
  }
  let request: ClientRequest
  try {
    request = http.request(target.url, { method: 'POST', agent, headers: headersOf(line, target, clientName) })
  } catch (error) {
    // Later, as every other end: the caller does not hold yet what gives this up.
    queueMicrotask(() => settle(unreachable(target, error instanceof Error ? error.message : String(error))))
    return () => {}
  }
  request.on('error', (error: NodeJS.ErrnoException) => {
    const tell = brokeOff.has(error.code ?? '') ? brokenOff : unreachable
    settle(tell(target, error.code ?? error.message))
  })
  request.on('response', (response) => {
    const type = response.headers['content-type'] ?? ''
    if (response.statusCode === 401) discard(response, () => settle(tokenRefused(target)))
    else if (type.startsWith('text/event-stream')) passEvents(response, line, target, write, settle)
    else passDocument(response, type, line, target, write, settle)
  })
  request.end(line.bytes)
  return () => {
    settled = true
    request.destroy()
  }
}

function headersOf(line: Line, target: Target, clientName: string | undefined): Record<string, string | number> {
  return {
    ...line.headers,
    'content-type': 'application/json',
    'content-length': line.bytes.length,
    accept: 'application/json, text/event-stream',
    ...(target.token !== undefined && { authorization: `Bearer ${target.token}` }),
    // Node writes header text as Latin-1; these are the bytes of its UTF-8.
    ...(clientName !== undefined && { 'x-dsh-mcp-client': Buffer.from(clientName, 'utf8').toString('latin1') }),
  }
}

function passDocument(
  response: IncomingMessage,
  type: string,
  line: Line,
  target: Target,
  write: (message: Buffer | string) => void,
  settle: (problem?: string) => void,
): void {
  const chunks: Buffer[] = []
  response.on('data', (chunk: Buffer) => chunks.push(chunk))
  response.on('close', () => settle(brokenOff(target, 'it is incomplete')))
  response.on('end', () => {
    if (!line.expectsAnswer) return settle()
    const status = response.statusCode ?? 0
    if (!/^application\/json\b/.test(type))
      return settle(unreachable(target, `something else answers there (HTTP ${status})`))
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    // The usual case: the endpoint's own serialization is one line and carries the id.
    if (status === 200 && body[0] === 0x7b && !body.includes(0x0a)) {
      write(body)
      return settle()
    }
    const answer = answerOf(body)
    if (answer === undefined) return settle(unreachable(target, `it gave no JSON-RPC answer (HTTP ${status})`))
    // Where the endpoint could not tell the request's id, the client still needs it.
    write(JSON.stringify({ ...answer, id: line.id }))
    settle()
  })
}

function passEvents(
  response: IncomingMessage,
  line: Line,
  target: Target,
  write: (message: Buffer | string) => void,
  settle: (problem?: string) => void,
): void {
  let answered = false
  const events = createEventReader((data) => {
    const message = parse(data)
    if (message === undefined) return
    if ('result' in message || 'error' in message) answered = true
    write(data.includes('\n') ? JSON.stringify(message) : data)
  })
  response.on('data', events.push)
  response.on('close', () =>
    settle(answered || !line.expectsAnswer ? undefined : brokenOff(target, 'the stream ended')),
  )
}

function answerOf(body: Buffer): Record<string, unknown> | undefined {
  const message = parse(body.toString('utf8'))
  return message !== undefined && ('result' in message || 'error' in message) && message.jsonrpc === '2.0'
    ? message
    : undefined
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    // Not a message.
    return undefined
  }
}

function discard(response: IncomingMessage, then: () => void): void {
  response.resume()
  response.on('close', then)
}
