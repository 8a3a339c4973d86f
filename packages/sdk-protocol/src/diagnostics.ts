import type { FrameId } from './frames.ts'

/**
 * Something that the wire's rules pass over in silence, told to the `onDiagnostic` hook of the transport. None of these
 * ends the connection.
 */
export type Diagnostic =
  /** A line that is not JSON. `text` is its beginning. */
  | { readonly kind: 'malformed-line'; readonly text: string; readonly error: Error }
  /** A line that is JSON and no frame: a batch, a scalar, an object with neither `id` nor `method`. */
  | { readonly kind: 'not-a-frame'; readonly text: string }
  /** A line beyond `maxLineBytes`. `id` and `method` are given when its beginning holds them. */
  | {
      readonly kind: 'line-too-long'
      readonly limitBytes: number
      readonly text: string
      readonly id?: FrameId
      readonly method?: string
    }
  /** An answer that nobody waits for: an unknown id, a second answer, or one after its request was given up. */
  | { readonly kind: 'unexpected-response'; readonly id: FrameId }
  /** A notification arrived and there is no handler for notifications. */
  | { readonly kind: 'unhandled-notification'; readonly method: string }
  /** The handler of a notification failed. */
  | { readonly kind: 'notification-handler-failed'; readonly method: string; readonly error: unknown }
  /** The handler of the connection's end failed. */
  | { readonly kind: 'end-handler-failed'; readonly error: unknown }
  /** The handler of a request failed; the peer was answered. */
  | { readonly kind: 'request-handler-failed'; readonly method: string; readonly id: FrameId; readonly error: unknown }
  /** A frame was not sent, because the transport is closed or its output is gone. */
  | { readonly kind: 'frame-not-sent'; readonly frame: 'answer' | 'notification'; readonly method: string }
  /** The input or the output reported an error. */
  | { readonly kind: 'stream-error'; readonly stream: 'input' | 'output'; readonly error: Error }

/** How much of a line a diagnostic shows, in UTF-16 units. */
const SHOWN: number = 200

export function shown(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`
}
