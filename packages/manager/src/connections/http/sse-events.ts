/** One event of an event stream (HTML Standard, server-sent events). */
export interface StreamEvent {
  readonly event: string
  readonly data: string
}

/** Reads events from the bytes of an event stream. A line longer than `limit` characters ends the stream with an error. */
export async function* readEvents(body: ReadableStream<Uint8Array>, limit: number): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder()
  /** What came since the last line end; joined only when one arrives, so that a long line costs no more than its length. */
  let parts: string[] = []
  let size = 0
  let event = ''
  let data: string[] = []
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true })
    parts.push(text)
    size += text.length
    if (size > limit) throw new Error(`an event of more than ${limit} characters`)
    if (!/[\r\n]/.test(text)) continue
    const lines = parts.join('').split(/\r\n|\n|\r(?!$)/)
    const rest = lines.pop() ?? ''
    parts = [rest]
    size = rest.length
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { event: event === '' ? 'message' : event, data: data.join('\n') }
        event = ''
        data = []
        continue
      }
      const colon = line.indexOf(':')
      const field = colon === -1 ? line : line.slice(0, colon)
      const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
      if (field === 'data') data.push(value)
      else if (field === 'event') event = value
    }
  }
}
