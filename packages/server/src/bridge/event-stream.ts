import { createLineReader } from './line-reader.ts'

/** Reads the `data` of each event of a `text/event-stream` body (WHATWG HTML, Server-sent events). */
export function createEventReader(onData: (data: string) => void): { push(chunk: Buffer): void } {
  let data: string[] = []
  const lines = createLineReader(
    (bytes) => {
      const line = bytes.toString('utf8').replace(/\r$/, '')
      if (line === '') {
        if (data.length > 0) onData(data.join('\n'))
        data = []
      } else if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
    },
    () => undefined,
  )
  return { push: lines.push }
}
