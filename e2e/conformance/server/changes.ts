import type { ChangeFeed, ChangeFilter, JsonObject } from '../../../packages/server/src/gateway/index.ts'

export interface Changes {
  readonly feed: ChangeFeed
  announce(change: 'tools' | 'prompts'): void
}

/** News of lists that only say they changed. */
export function createChanges(): Changes {
  const listeners = new Set<{ filter: ChangeFilter; deliver: (method: string, params: JsonObject) => void }>()
  return {
    feed: {
      honour: (wanted) => wanted,
      subscribe(filter, deliver) {
        const listener = { filter, deliver }
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    announce(change) {
      for (const { filter, deliver } of listeners) {
        const wanted = change === 'tools' ? filter.toolsListChanged : filter.promptsListChanged
        if (wanted === true) deliver(`notifications/${change}/list_changed`, {})
      }
    },
  }
}
