import type { Pending } from './types.ts'

/** The pending decisions of one channel, in the order they came. */
export interface PendingMap {
  readonly values: () => readonly Pending[]
  add(pending: Pending): void
  get(interactionId: string): Pending | undefined
  remove(interactionId: string): void
  clear(): void
}

/** `changed` is called with the session of each decision that comes or goes. */
export function createPendingMap(changed: (sessionId: string) => void): PendingMap {
  const entries = new Map<string, Pending>()
  return {
    values: () => [...entries.values()],
    get: (interactionId) => entries.get(interactionId),
    add(pending) {
      if (entries.has(pending.interactionId)) return
      entries.set(pending.interactionId, pending)
      changed(pending.sessionId)
    },
    remove(interactionId) {
      const pending = entries.get(interactionId)
      if (pending === undefined) return
      entries.delete(interactionId)
      changed(pending.sessionId)
    },
    clear() {
      const gone = [...entries.values()]
      entries.clear()
      for (const pending of gone) changed(pending.sessionId)
    },
  }
}
