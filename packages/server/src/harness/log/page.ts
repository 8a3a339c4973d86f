import type { SessionEvent } from '@dsh-mcp/host'
import { clipItem, hasItem, itemChars, itemsOf } from './items.ts'
import type { CallName, Detail, Item } from './items.ts'
import { clipStart } from './text.ts'

export interface PageRequest {
  readonly afterSeq?: number
  readonly beforeSeq?: number
  readonly limit: number
  readonly detail: Detail
  readonly maxChars: number
  readonly itemMaxChars: number
}

/** A window of a transcript. Seqs are the host's event numbers, stable across restarts. */
export interface Page {
  readonly items: readonly Item[]
  readonly firstSeq: number | null
  readonly lastSeq: number | null
  /** Give it as `afterSeq` to go on; it counts what was scanned, so that a page without items advances too. */
  readonly nextAfterSeq: number
  /** Give it as `beforeSeq` to go back. */
  readonly prevBeforeSeq: number
  readonly hasMore: boolean
  readonly hasEarlier: boolean
  /** Whether an item was cut, or the page ended early for its size. */
  readonly truncated: boolean
}

/** Looks for the call of a result backwards in the log, within the turn of the result. */
export function callNameIn(events: readonly SessionEvent[]): CallName {
  return (callId, resultSeq) => {
    for (let seq = resultSeq - 1; seq >= 0; seq--) {
      const event = events[seq]
      if (event === undefined || event.type === 'turn/start') return undefined
      if (event.type === 'tool/call' && event.data.callId === callId) return event.data.name
    }
    return undefined
  }
}

function turnAt(events: readonly SessionEvent[], seq: number): number | undefined {
  for (let index = seq; index >= 0; index--) {
    const event = events[index]
    if (event?.type === 'turn/start') return event.data.turn
    if (event?.type === 'turn/end') return undefined
  }
  return undefined
}

function withTurns(items: readonly Item[], events: readonly SessionEvent[]): readonly Item[] {
  return items.map((item) => {
    if (item.turn !== undefined || item.type === 'title') return item
    const turn = turnAt(events, item.seq)
    return turn === undefined ? item : { ...item, turn }
  })
}

/** Items of one event that still fit; the first item of a page always does, cut to the budget. */
function fit(candidates: readonly Item[], taken: number, left: number, limit: number): readonly Item[] | 'full' {
  if (taken === 0) {
    const kept: Item[] = []
    let rest = left
    for (const item of candidates) {
      kept.push(clipItem(item, Math.max(rest, 0)))
      rest -= itemChars(item)
    }
    return kept
  }
  const chars = candidates.reduce((sum, item) => sum + itemChars(item), 0)
  return taken + candidates.length > limit || chars > left ? 'full' : candidates
}

function anyItem(events: readonly SessionEvent[], from: number, step: 1 | -1, detail: Detail): boolean {
  for (let seq = from; seq >= 0 && seq < events.length; seq += step) {
    if (hasItem(events[seq]!, detail)) return true
  }
  return false
}

/**
 * Cuts one page out of a log in which the index is the seq: forwards from `afterSeq`, backwards from `beforeSeq`, without
 * either the newest. Bounded by `limit` items and `maxChars` UTF-16 units; the items of one event stay together.
 */
export function readPage(events: readonly SessionEvent[], request: PageRequest): Page {
  const { detail, limit, maxChars, itemMaxChars } = request
  const forwards = request.afterSeq !== undefined
  const step = forwards ? 1 : -1
  const start = forwards
    ? Math.min(request.afterSeq + 1, events.length)
    : Math.min(request.beforeSeq ?? events.length, events.length) - 1
  const callName = callNameIn(events)

  const groups: (readonly Item[])[] = []
  let taken = 0
  let left = maxChars
  let seq = start
  let full = false
  for (; seq >= 0 && seq < events.length && taken < limit; seq += step) {
    const candidates = itemsOf(events[seq]!, detail, itemMaxChars, callName)
    if (candidates.length === 0) continue
    const kept = fit(candidates, taken, left, limit)
    if (kept === 'full') {
      full = true
      break
    }
    groups.push(kept)
    taken += kept.length
    left -= kept.reduce((sum, item) => sum + itemChars(item), 0)
  }

  const items = withTurns((forwards ? groups : groups.reverse()).flat(), events)
  const firstSeq = items[0]?.seq ?? null
  const lastSeq = items.at(-1)?.seq ?? null
  const bounds = {
    firstSeq,
    lastSeq,
    truncated: full || items.some((item) => item.truncated === true),
  }
  if (forwards) {
    return {
      items,
      ...bounds,
      nextAfterSeq: seq - 1,
      prevBeforeSeq: start,
      hasMore: anyItem(events, seq, 1, detail),
      hasEarlier: anyItem(events, start - 1, -1, detail),
    }
  }
  return {
    items,
    ...bounds,
    nextAfterSeq: start,
    prevBeforeSeq: seq + 1,
    hasMore: anyItem(events, start + 1, 1, detail),
    hasEarlier: anyItem(events, seq, -1, detail),
  }
}

/** What the model has said since its last complete message, the newest `max` UTF-16 units of it; null when nothing. */
export function partialText(events: readonly SessionEvent[], max: number): string | null {
  const parts: string[] = []
  for (let seq = events.length - 1; seq >= 0; seq--) {
    const event = events[seq]!
    if (event.type === 'assistant/message' || event.type === 'turn/end' || event.type === 'turn/start') break
    if (event.type !== 'assistant/chunk') continue
    const { chunk } = event.data
    if (chunk.type === 'text-delta' && chunk.text !== undefined) parts.push(chunk.text)
  }
  const text = parts.reverse().join('')
  return text === '' ? null : clipStart(text, max)
}
