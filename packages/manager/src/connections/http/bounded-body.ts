import { frameTooLarge } from '../stdio/stdio-transport.ts'

/** Ends of an event (HTML Standard, server-sent events): an empty line, with any of the three line ends. */
const eventEnds = ['\n\n', '\r\n\r\n', '\r\r'] as const
const longestEnd = 4

/** Counts the bytes since the last end of an event. */
function eventCounter(): (chunk: Uint8Array) => number {
  let size = 0
  let carried = Buffer.alloc(0)
  return (chunk) => {
    const bytes = Buffer.concat([carried, chunk])
    const end = Math.max(...eventEnds.map((text) => bytes.lastIndexOf(text) + (bytes.includes(text) ? text.length : 0)))
    size = end > 0 ? bytes.length - end : size + chunk.length
    carried = bytes.subarray(Math.max(end, 0)).subarray(-(longestEnd - 1))
    return size
  }
}

function totalCounter(): (chunk: Uint8Array) => number {
  let size = 0
  return (chunk) => (size += chunk.length)
}

const isEventStream = (response: Response): boolean =>
  response.headers.get('content-type')?.toLowerCase().includes('text/event-stream') === true

function isKnownToFit({ headers }: Response, limit: number): boolean {
  const length = headers.get('content-length')
  return length !== null && !headers.has('content-encoding') && Number(length) <= limit
}

/** The request a body answers. */
function idOf(body: unknown): unknown {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
  return typeof message === 'object' && message !== null && 'id' in message ? message.id : undefined
}

/**
 * The same answer, whose body ends when the whole of it, or one event of an event stream, is longer than `limit` bytes once
 * decompressed: the engine reads bodies and events to their end, however long they are. A body ends with an error; a stream
 * with an event that answers the request (`request`, its JSON text), since the engine waits on when a stream breaks.
 */
export function boundedBody(response: Response, limit: number, request?: unknown): Response {
  if (response.body === null || isKnownToFit(response, limit)) return response
  const sizeAfter = isEventStream(response) ? eventCounter() : totalCounter()
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (sizeAfter(chunk) <= limit) return controller.enqueue(chunk)
      const message = `the server sent a message of more than ${limit} bytes: not read`
      const id = isEventStream(response) ? idOf(request) : undefined
      if (id === undefined) throw new Error(message)
      const answer = { jsonrpc: '2.0', id, error: { code: -32_000, message, data: frameTooLarge } }
      controller.enqueue(Buffer.from(`\n\ndata: ${JSON.stringify(answer)}\n\n`))
      controller.terminate()
    },
  })
  const { status, statusText, headers } = response
  return new Response((response.body as ReadableStream<Uint8Array>).pipeThrough(bounded), {
    status,
    statusText,
    headers: new Headers([...headers]),
  })
}
