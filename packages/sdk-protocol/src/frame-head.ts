import type { FrameId } from './frames.ts'

/** What the beginning of a frame tells about the whole. */
export interface FrameHead {
  readonly id?: FrameId
  readonly method?: string
  /** `unknown`: the head ends before a member that only one of the two has. */
  readonly kind: 'request-or-notification' | 'response' | 'unknown'
}

/** A JSON string or number at the position of the search. */
const MEMBER_NAME = /\s*("(?:[^"\\]|\\.)*")\s*:\s*/y
const SCALAR = /("(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)\s*(,|\})/y

/**
 * Reads the members of a cut-off frame one by one, as far as they are complete and not nested. An oversized frame is large
 * because of its `params`, `result` or `error`; peers write `id` and `method` before them.
 */
export function readFrameHead(head: string): FrameHead {
  let found: FrameHead = { kind: 'unknown' }
  let position = head.search(/\S/)
  if (head[position] !== '{') return found
  position++
  for (;;) {
    const name = matchAt(MEMBER_NAME, head, position)
    if (name === undefined) return found
    const member: unknown = JSON.parse(name[1]!)
    if (member === 'method' || member === 'params') found = { ...found, kind: 'request-or-notification' }
    if (member === 'result' || member === 'error') found = { ...found, kind: 'response' }
    const value = matchAt(SCALAR, head, position + name[0].length)
    if (value === undefined) return found
    const scalar: unknown = JSON.parse(value[1]!)
    if (member === 'id' && (typeof scalar === 'string' || typeof scalar === 'number')) found = { ...found, id: scalar }
    if (member === 'method' && typeof scalar === 'string') found = { ...found, method: scalar }
    if (value[2] === '}') return found
    position += name[0].length + value[0].length
  }
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | undefined {
  pattern.lastIndex = position
  return pattern.exec(text) ?? undefined
}
