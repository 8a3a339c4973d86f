import type { SessionEvent, UserMessage } from '@dsh-mcp/host'

type Draft = SessionEvent extends infer Event
  ? Event extends SessionEvent
    ? Omit<Event, 'seq' | 'time'> & { readonly time?: number }
    : never
  : never

/** A log for tests: events get their seq by position, and a time of one second each. */
export function log(...drafts: readonly Draft[]): readonly SessionEvent[] {
  return drafts.map((draft, seq) => ({ time: seq * 1000, ...draft, seq }))
}

export function user(id: string, text: string): UserMessage {
  return { id, role: 'user', content: [{ type: 'text', text }], source: { kind: 'user' } }
}
