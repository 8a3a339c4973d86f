import type { PageEvent } from '../../web/api-types.ts'
import { apiPrefix } from './request.ts'

/** What the stream tells its listener. `down` means that nothing is pushed at the moment. */
export type StreamNews = { readonly kind: 'up' } | { readonly kind: 'down' } | PageEvent

const firstRetryMs = 1000
const longestRetryMs = 15_000

/**
 * Keeps the event stream of the host half open and hands its events on. A browser reopens a broken stream by itself but
 * gives up on a refused one, so those are opened anew, each time after a longer pause. Returns the way to close it.
 */
export function openStream(listen: (news: StreamNews) => void): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let pause = firstRetryMs
  const open = (): void => {
    if (typeof EventSource === 'undefined') return
    source = new EventSource(`${apiPrefix}/events`)
    source.addEventListener('open', () => {
      pause = firstRetryMs
      listen({ kind: 'up' })
    })
    source.addEventListener('message', (message: MessageEvent<unknown>) => {
      const event = read(message.data)
      if (event !== undefined) listen(event)
    })
    source.addEventListener('error', () => {
      listen({ kind: 'down' })
      if (source?.readyState !== EventSource.CLOSED) return
      timer = setTimeout(open, pause)
      pause = Math.min(pause * 2, longestRetryMs)
    })
  }
  open()
  return () => {
    clearTimeout(timer)
    source?.close()
  }
}

function read(data: unknown): PageEvent | undefined {
  try {
    const event = JSON.parse(String(data)) as PageEvent
    return typeof event === 'object' && event !== null ? event : undefined
  } catch {
    // Not ours: a proxy's comment, or a newer host half.
    return undefined
  }
}
