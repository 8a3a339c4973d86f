/** Gives up after this many streams in a row that brought nothing. */
const mostFruitless = 5
/** A stream that stood this long was worth opening, even without an event. */
const worthwhileMs = 10_000

/** Decides whether, and how soon, the stream for messages the server sends by itself (HTTP GET) is opened again. */
export interface StreamPolicy {
  /** Whether to open one now. */
  allows(): boolean
  /** Watches a stream that was opened; hands its body on. */
  watch(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>
  /** Wait before the next, in milliseconds, at least `suggested`. */
  delay(suggested: number): number
}

/**
 * Streams that end without an event, soon after they were opened, count as failures: the wait doubles from 1 s to 60 s, and
 * after five in a row there is no other until the next connection.
 * @param wanted whether the server announced messages that would travel on the stream.
 * @param gaveUp called once when the policy gives up.
 */
export function createStreamPolicy(wanted: () => boolean, gaveUp: () => void): StreamPolicy {
  let fruitless = 0
  return {
    allows: () => wanted() && fruitless < mostFruitless,
    watch(body) {
      const opened = performance.now()
      const decoder = new TextDecoder()
      let brought = false
      let line = ''
      const ended = (): void => {
        if (brought || performance.now() - opened >= worthwhileMs) {
          fruitless = 0
          return
        }
        fruitless++
        if (fruitless === mostFruitless) gaveUp()
      }
      const reader = body.getReader()
      return new ReadableStream<Uint8Array>({
        async pull(controller) {
          let next: Awaited<ReturnType<typeof reader.read>>
          try {
            next = await reader.read()
          } catch (error) {
            ended()
            controller.error(error)
            return
          }
          if (next.done) {
            ended()
            controller.close()
            return
          }
          if (!brought) {
            line = (line + decoder.decode(next.value, { stream: true })).slice(-8_192)
            brought = /^data: ?\S/m.test(line)
          }
          controller.enqueue(next.value)
        },
        cancel: (reason) => reader.cancel(reason),
      })
    },
    delay: (suggested) => Math.max(suggested, fruitless === 0 ? 0 : Math.min(1_000 * 2 ** (fruitless - 1), 60_000)),
  }
}
