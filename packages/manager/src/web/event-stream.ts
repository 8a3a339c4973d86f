import type { PageEvent } from './api-types.ts'
import { ApiError } from './errors.ts'
import type { ApiParts } from './parts.ts'
import { globalView } from './server-routes.ts'

/** Streams open at once; a page holds one. */
const maxStreams = 64
/** Changes within this time travel together, in milliseconds. */
const gatherMs = 40
/** A comment this often keeps proxies from closing a quiet stream, in milliseconds. */
const heartbeatMs = 15_000
/** A reader this far behind, in events, is cut off; it reconnects and reads anew. */
const maxBacklog = 1000

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-accel-buffering': 'no',
}

/** The changes of servers, tools, workspaces and settings, as the page follows them (WHATWG HTML, server-sent events). */
export interface EventStreams {
  open(signal: AbortSignal): Response
  close(): void
}

/** Follows everything the page shows. One set of subscriptions serves all streams. */
export function createEventStreams(parts: ApiParts): EventStreams {
  const encoder = new TextEncoder()
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>()
  const pending = new Map<string, () => PageEvent | undefined>()
  let timer: NodeJS.Timeout | undefined

  const write = (controller: ReadableStreamDefaultController<Uint8Array>, text: string): void => {
    if ((controller.desiredSize ?? 0) < -maxBacklog) {
      streams.delete(controller)
      controller.error(new Error('the reader fell too far behind'))
      return
    }
    controller.enqueue(encoder.encode(text))
  }
  const flush = (): void => {
    timer = undefined
    const events = [...pending.values()].map((make) => make()).filter((event) => event !== undefined)
    pending.clear()
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    if (text !== '') for (const controller of streams) write(controller, text)
  }
  const tell = (key: string, make: () => PageEvent | undefined): void => {
    if (streams.size === 0) return
    pending.set(key, make)
    timer ??= setTimeout(flush, gatherMs)
  }
  const tellServer = (id: string): void => {
    if (id.startsWith('ws-')) return tell('workspaces', () => ({ kind: 'workspaces' }))
    tell(`server ${id}`, () => {
      const server = globalView(parts, id)
      return server === undefined ? undefined : { kind: 'server', server }
    })
  }

  const ends = [
    parts.connections.subscribe((event) => {
      if (event.kind === 'servers') tell('servers', () => ({ kind: 'servers' }))
      else tellServer(event.connection.serverId)
    }),
    parts.tools.subscribe((id) => {
      tellServer(id)
      tell(`tools ${id}`, () => ({ kind: 'tools', id }))
    }),
    parts.state.subscribe((now, before) => {
      if (now.servers !== before.servers) tell('servers', () => ({ kind: 'servers' }))
      if (now.onDemandToolInjection !== before.onDemandToolInjection) tell('settings', () => ({ kind: 'settings' }))
    }),
    parts.workspaces?.subscribe(() => tell('workspaces', () => ({ kind: 'workspaces' }))),
  ]
  const heartbeat = setInterval(() => {
    for (const controller of streams) write(controller, ': still here\n\n')
  }, heartbeatMs)
  heartbeat.unref()

  return {
    open(signal) {
      if (streams.size >= maxStreams) throw new ApiError(503, 'too many event streams are open')
      let end = (): void => undefined
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          streams.add(controller)
          const hello: PageEvent = { kind: 'hello', version: parts.version }
          write(controller, `data: ${JSON.stringify(hello)}\n\n`)
          end = () => {
            if (!streams.delete(controller)) return
            controller.close()
          }
          signal.addEventListener('abort', end, { once: true })
        },
        cancel() {
          end()
          signal.removeEventListener('abort', end)
        },
      })
      return new Response(body, { headers })
    },
    close() {
      clearInterval(heartbeat)
      clearTimeout(timer)
      for (const unsubscribe of ends) unsubscribe?.()
      for (const controller of streams) controller.close()
      streams.clear()
    },
  }
}
