import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { duringOperation } from './operation.ts'
import { joinTools, readTools } from './tool-list.ts'
import type { ReadTools } from './tool-list.ts'

/** Key under which the engine carries the number of a result that was set aside. */
const asideKey = 'dsh-mcp/result'

/** Pages of one list that are read; a server without an end to its list would hold the connection up for ever. */
const mostPages = 256

type Loose = Record<string, unknown>

function isRecord(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The request a `notifications/cancelled` gives up (MCP, cancellation). */
export function cancelledId(message: JSONRPCMessage): string | number | undefined {
  const { params } = message as { params?: { requestId?: unknown } }
  const id = params?.requestId
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

/** What stands between the engine and its transport. */
export interface Tap {
  /** The last complete list, as the server sent it. Of one that is longer than can be read, what came, with a note. */
  listed(): Omit<ReadTools, 'forEngine'>
  /** The result of a call as the server sent it, for what the engine returned in its place. */
  untouched(result: unknown): Loose
  /** Whether the server answered the era probe at all. */
  readonly probeAnswered: boolean
}

/**
 * Looks at the messages of a transport before the engine does. One bad tool would make the engine refuse a whole list, and
 * one unknown block a whole result: lists are cleaned, and results of calls set aside and handed on empty.
 */
export function tap(transport: Transport): Tap {
  const methods = new Map<string | number, string>()
  const aside = new Map<number, Loose>()
  let pages: ReadTools[] = []
  let isCut = false
  let nextAside = 0
  let probeAnswered = false

  function incoming(message: JSONRPCMessage): JSONRPCMessage {
    if (!('id' in message) || message.id === undefined || 'method' in message) return message
    const method = methods.get(message.id)
    methods.delete(message.id)
    if (method === 'server/discover') probeAnswered = true
    if (!('result' in message) || !isRecord(message.result)) return message
    const result: Loose = message.result
    if (method === 'tools/list') {
      const read = readTools(result.tools)
      pages.push(read)
      const { nextCursor, ...page } = result
      isCut = pages.length >= mostPages && nextCursor !== undefined
      return {
        ...message,
        result: { ...page, tools: read.forEngine, ...(nextCursor !== undefined && !isCut && { nextCursor }) },
      }
    }
    if (method === 'tools/call' && result.resultType !== 'input_required') {
      const number = nextAside++
      aside.set(number, result)
      const kept = {
        ...(result.resultType !== undefined && { resultType: result.resultType }),
        isError: result.isError === true,
      }
      return { ...message, result: { ...kept, content: [], _meta: { [asideKey]: number } } }
    }
    return message
  }

  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    const method = 'method' in message ? message.method : undefined
    const id = 'id' in message ? message.id : undefined
    const isRequest = method !== undefined && id !== undefined
    if (isRequest) {
      methods.set(id, method)
      const { params } = message as { params?: unknown }
      if (method === 'tools/list' && (!isRecord(params) || params.cursor === undefined)) pages = []
    }
    // A late answer to a given-up request is nobody's: it must not be set aside.
    if (method === 'notifications/cancelled') methods.delete(cancelledId(message) ?? '')
    return duringOperation({ method, isRequest }, () => send(message, options))
  }

  let handler: Transport['onmessage']
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => (handler === undefined ? undefined : (message: JSONRPCMessage) => handler?.(incoming(message))),
    set: (next: Transport['onmessage']) => {
      handler = next
    },
  })

  return {
    listed() {
      const joined = joinTools(pages)
      if (!isCut) return joined
      const reason = `the server's list has more than ${mostPages} pages; what comes after them is left out`
      return { ...joined, quarantined: [...joined.quarantined, { name: 'tools/list', reason }] }
    },
    untouched(result) {
      const number = isRecord(result) && isRecord(result._meta) ? result._meta[asideKey] : undefined
      if (typeof number !== 'number') return isRecord(result) ? result : {}
      const original = aside.get(number) ?? {}
      aside.delete(number)
      return original
    },
    get probeAnswered() {
      return probeAnswered
    },
  }
}
