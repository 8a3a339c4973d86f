import type { SessionEvent } from '@dsh-mcp/host'

/** In tokens. */
export interface TokenTotals {
  readonly uncachedInput: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

export interface LogTotals {
  readonly tokens: TokenTotals
  readonly turns: number
  readonly steps: number
}

/** Sums what providers reported from the event `from` on. The log of a fork begins with its parent's, paid for once. */
export function logTotals(events: readonly SessionEvent[], from: number): LogTotals {
  const tokens = { uncachedInput: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  let turns = 0
  let steps = 0
  for (const event of events) {
    if (event.seq < from) continue
    if (event.type === 'turn/start') turns++
    else if (event.type === 'step/start') steps++
    else if (event.type === 'assistant/message' && event.data.usage !== undefined) {
      const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = event.data.usage
      tokens.uncachedInput += inputTokens
      tokens.output += outputTokens
      tokens.cacheRead += cacheReadTokens
      tokens.cacheWrite += cacheWriteTokens
    }
  }
  return { tokens, turns, steps }
}
