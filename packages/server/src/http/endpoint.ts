import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode, errorReply } from '../gateway/index.ts'
import type { Gateway, Reply } from '../gateway/index.ts'
import type { Admission } from './admission.ts'
import { parseBody, readBody } from './body.ts'
import { HttpExchange } from './exchange.ts'
import type { StreamTiming } from './exchange.ts'
import { keepConnection } from './keep-connection.ts'
import { refuse, refuseTooLarge } from './refusal.ts'
import type { Refusal } from './refusal.ts'

export interface EndpointOptions {
  readonly gateway: Gateway
  readonly admit: (headers: IncomingMessage['headers']) => Admission
  /** In bytes. */
  readonly maxBodyBytes: number
  readonly timing?: StreamTiming
}

/** Spoken of in the protocol document: JSON within ten seconds, else a stream with a comment every fifteen. */
export const standardTiming: StreamTiming = { streamAfterMs: 10_000, keepAliveMs: 15_000 }

/** How long `close` lets calls that were told to end still answer, in milliseconds. */
const closeGraceMs = 1_000

const allow = { allow: 'POST, OPTIONS' }

const methodNotAllowed = {
  status: 405,
  error: 'method_not_allowed',
  message: 'POST one JSON-RPC message; this endpoint has no sessions and no stream apart from the answer to a POST.',
}

/** The MCP endpoint on `node:http`: a handler for one route, whatever the method. */
export interface Endpoint {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Ends every waiting call, then breaks off those that do not answer within a second. */
  close(): Promise<void>
}

export function createEndpoint(options: EndpointOptions): Endpoint {
  const { gateway, admit, maxBodyBytes, timing = standardTiming } = options
  const waiting = new Map<HttpExchange, Promise<void>>()
  let isClosed = false

  /** Tells calls to end, and breaks off those that have not answered within the grace. */
  async function end(calls: readonly (readonly [HttpExchange, Promise<void>])[]): Promise<void> {
    for (const [exchange] of calls) exchange.abort(new Error('the endpoint closes'))
    const answers = Promise.allSettled(calls.map(([, answered]) => answered))
    await Promise.race([answers, delay(closeGraceMs, undefined, { ref: false })])
    for (const [exchange] of calls) if (waiting.delete(exchange)) exchange.destroy()
  }

  function settle(exchange: HttpExchange, reply: Reply | Promise<Reply>): void {
    if (!(reply instanceof Promise)) return exchange.finish(reply)
    exchange.wait(() => waiting.delete(exchange))
    const answered = reply.then((result) => {
      waiting.delete(exchange)
      exchange.finish(result)
    })
    waiting.set(exchange, answered)
    // Its body was still on the way when the endpoint closed.
    if (isClosed) void end([[exchange, answered]])
  }

  return {
    async handle(request, response) {
      keepConnection(request, response)
      const admission = admit(request.headers)
      if (!admission.admitted) return refuse(response, admission)
      if (request.method === 'OPTIONS') {
        response.writeHead(204, allow).end()
        return
      }
      if (request.method !== 'POST') return refuse(response, methodNotAllowed, allow)
      const coding = request.headers['content-encoding']
      if (coding !== undefined && coding.toLowerCase() !== 'identity') {
        return refuse(response, unsupportedCoding(coding), { 'accept-encoding': 'identity' })
      }
      const body = await readBody(request, maxBodyBytes)
      if (body.kind === 'gone') return
      if (body.kind === 'too-large') return refuseTooLarge(request, response, maxBodyBytes)
      const exchange = new HttpExchange(request, response, admission.caller, timing)
      const parsed = parseBody(body.bytes)
      if (!parsed.ok)
        return exchange.finish(errorReply(400, null, errorCode.parseError, `Parse error: ${parsed.reason}`))
      settle(exchange, gateway.handle(parsed.message, exchange))
    },

    async close() {
      isClosed = true
      await end([...waiting])
    },
  }
}

function unsupportedCoding(coding: string): Refusal {
  return { status: 415, error: 'unsupported_media_type', message: `Content-Encoding "${coding}" is not supported.` }
}
