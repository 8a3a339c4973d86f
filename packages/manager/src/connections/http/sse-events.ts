/** One event of an event stream (HTML Standard, server-sent events). */
export interface StreamEvent {
  readonly event: string
  readonly data: string
}

/** Reads events from the bytes of an event stream. A line longer than `limit` characters ends the stream with an error. */
export async function* readEvents(body: ReadableStream<Uint8Array>, limit: number): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  let event = ''
  let data: string[] = []
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true })
    if (rest.length > limit) throw new Error(`an event of more than ${limit} characters`)
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
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
