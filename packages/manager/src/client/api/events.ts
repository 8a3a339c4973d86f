import { openStream, type StreamNews } from './event-stream.ts'

const name = 'dsh-mcp-manager events'

/** What tabs tell each other: news of the stream, or the question of a tab that just came. */
type Message = StreamNews | { readonly kind: 'anyone' }

/**
 * The events of the host half, over one stream for all tabs: a browser keeps at most six connections to a host over
 * HTTP/1.1, and the shell of each tab holds one already. The tab that holds the lock has the stream and passes on what
 * comes; when it goes, the lock and the stream go to another. Without locks or channels each tab has a stream of its own.
 * Returns the way to stop.
 */
export function openEvents(listen: (news: StreamNews) => void): () => void {
  if (typeof BroadcastChannel === 'undefined' || !('locks' in navigator)) return openStream(listen)
  const channel = new BroadcastChannel(name)
  const stopped = new AbortController()
  let holds = false
  let last: StreamNews = { kind: 'down' }

  const hold = (): Promise<void> =>
    new Promise((resolve) => {
      holds = true
      const close = openStream((news) => {
        if (news.kind === 'up' || news.kind === 'down') last = news
        channel.postMessage(news)
        listen(news)
      })
      stopped.signal.addEventListener('abort', () => {
        close()
        resolve()
      })
    })
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'anyone') listen(data)
    else if (holds) channel.postMessage(last)
  })
  navigator.locks.request(name, { signal: stopped.signal }, hold).catch(() => {
    // Stopped while waiting for the lock: another tab has the stream.
  })
  channel.postMessage({ kind: 'anyone' } satisfies Message)
  return () => {
    stopped.abort()
    channel.close()
  }
}
