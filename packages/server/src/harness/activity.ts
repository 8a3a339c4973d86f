import type { Agent, HostServiceContext, SessionEvent } from '@dsh-mcp/host'

/** Says when the state of a session may have changed. */
export interface Activity {
  /** Calls `listener` after each such moment until the returned function is called. */
  watch(sessionId: string, listener: () => void): () => void
  /** For changes that no host event announces. */
  wake(sessionId: string): void
  /** Calls `listener` for every event a live session appends, before the watchers. */
  onEvent(listener: (sessionId: string, event: SessionEvent) => void): () => void
}

/** Events after which a waiter has to look again; chunks and the like are too many to look at each. */
function matters(type: string): boolean {
  return (
    type.startsWith('approval/') ||
    type.startsWith('turn/') ||
    type.startsWith('tool/') ||
    type === 'agent/inbox/spliced' ||
    type === 'goal/change'
  )
}

/** Listens to the root context's events until `ctx` unloads. */
export function createActivity(ctx: HostServiceContext): Activity {
  const watchers = new Map<string, Set<() => void>>()
  const eventListeners = new Set<(sessionId: string, event: SessionEvent) => void>()

  function wake(sessionId: string): void {
    const listeners = watchers.get(sessionId)
    if (listeners !== undefined) for (const listener of listeners) listener()
  }

  /** A child's activity is background work of its ancestors. */
  function wakeWithAncestors(agent: Agent): void {
    const agents = ctx.get('agents')
    let current: Agent | undefined = agent
    for (let depth = 0; current !== undefined && depth < 32; depth++) {
      wake(current.id)
      const parent: string | undefined = current.session.header.parentSession
      current = parent === undefined ? undefined : agents?.get(parent)
    }
  }

  ctx.on('agent/status', ({ agent }) => wakeWithAncestors(agent))
  ctx.on('agent/disposed', ({ agent }) => wakeWithAncestors(agent))
  ctx.on('session/event', (session, event) => {
    for (const listener of eventListeners) listener(session.id, event)
    if (matters(event.type)) wake(session.id)
  })

  return {
    watch(sessionId, listener) {
      let listeners = watchers.get(sessionId)
      if (listeners === undefined) watchers.set(sessionId, (listeners = new Set()))
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && watchers.get(sessionId) === listeners) watchers.delete(sessionId)
      }
    },
    wake,
    onEvent(listener) {
      eventListeners.add(listener)
      return () => {
        eventListeners.delete(listener)
      }
    },
  }
}
