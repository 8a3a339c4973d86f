import type { ServerView, SettingsReply, WorkspaceView } from '../../web/api-types.ts'
import type { StreamNews } from './event-stream.ts'
import { openEvents } from './events.ts'
import type { ManagerApi } from './manager-api.ts'
import { reconcile } from './reconcile.ts'
import { RequestFailure, type FailureKind } from './request.ts'

/** Why the page cannot show what is true now. `message` is the host's own, perhaps empty. */
export interface Trouble {
  readonly kind: Exclude<FailureKind, 'aborted'>
  readonly message: string
}

/** What the page knows. A new object with each change; parts that did not change keep their identity. */
export interface PageState {
  /** Nothing was read yet. */
  readonly loading: boolean
  /** The last read failed; what is shown is old. */
  readonly trouble: Trouble | undefined
  readonly servers: readonly ServerView[]
  /** Lines about the state file, ready to be shown. */
  readonly notes: readonly string[]
  readonly workspaces: readonly WorkspaceView[]
  readonly settings: SettingsReply | undefined
  /** Version of the host half; unknown until its stream said it. */
  readonly hostVersion: string | undefined
  /** Grows whenever the tools of a server may have changed, by server id. */
  readonly toolsRevision: Readonly<Record<string, number>>
}

/** The page's data, kept up to date while somebody looks. */
export interface PageStore {
  readonly api: ManagerApi
  current(): PageState
  /** Told of each change; while there is a subscriber the store listens to the host. */
  subscribe(listener: () => void): () => void
  /** Reads everything anew. Never rejects: failures are in the state. */
  refresh(): Promise<void>
  /** Takes a server as an answer just gave it. */
  put(server: ServerView): void
  /** Takes the workspaces as an answer just gave them. */
  putWorkspaces(workspaces: readonly WorkspaceView[]): void
  putSettings(settings: SettingsReply): void
}

/** How often the page asks, in milliseconds, while nothing is pushed; and how long it waits to follow a burst. */
export interface StorePace {
  readonly pollMs: number
  readonly burstMs: number
}

const usualPace: StorePace = { pollMs: 3000, burstMs: 60 }

/** A store over the API. It keeps what it read while nobody looks, so that the page opens at once. */
export function createPageStore(api: ManagerApi, pace: StorePace = usualPace): PageStore {
  let state: PageState = {
    loading: true,
    trouble: undefined,
    servers: [],
    notes: [],
    workspaces: [],
    settings: undefined,
    hostVersion: undefined,
    toolsRevision: {},
  }
  const listeners = new Set<() => void>()
  let stop: (() => void) | undefined
  let running: Promise<void> | undefined
  let again = false

  const set = (change: Partial<PageState>): void => {
    const next = reconcile(state, { ...state, ...change })
    if (next === state) return
    state = next
    for (const listener of listeners) listener()
  }

  const readOnce = async (): Promise<void> => {
    try {
      // Each part is shown as it comes; what is told as true is told when all of it is.
      await Promise.all([
        api.servers().then(({ servers, problems = [] }) => set({ loading: false, servers, notes: problems })),
        api.workspaces().then(({ workspaces }) => set({ workspaces })),
        api.settings().then((settings) => set({ settings })),
      ])
      set({ trouble: undefined })
    } catch (error) {
      set({ loading: false, trouble: troubleOf(error) })
    }
  }

  /** One read at a time, and one more after it when somebody asked meanwhile. */
  const refresh = (): Promise<void> => {
    if (running !== undefined) {
      again = true
      return running
    }
    running = (async () => {
      do {
        again = false
        await readOnce()
      } while (again)
    })().finally(() => (running = undefined))
    return running
  }

  const put = (server: ServerView): void => {
    const known = state.servers.some((one) => one.id === server.id)
    const replaced = (one: ServerView): ServerView => (one.id === server.id ? server : one)
    if (known) set({ servers: state.servers.map(replaced) })
    else if (server.source === undefined || server.source === 'global') set({ servers: [...state.servers, server] })
    const holds = state.workspaces.some((one) => one.servers.some((local) => local.id === server.id))
    if (holds) set({ workspaces: state.workspaces.map((one) => ({ ...one, servers: one.servers.map(replaced) })) })
  }

  const start = (): (() => void) => {
    let pushed = false
    let burst: ReturnType<typeof setTimeout> | undefined
    let sizes: ReturnType<typeof setTimeout> | undefined
    const soon = (): void => {
      burst ??= setTimeout(() => {
        burst = undefined
        void refresh()
      }, pace.burstMs)
    }
    /** The saving of the on-demand switch follows the tools. */
    const sizesChanged = (): void => {
      sizes ??= setTimeout(() => {
        sizes = undefined
        api.settings().then(
          (settings) => set({ settings }),
          () => soon(),
        )
      }, pace.burstMs * 4)
    }
    const close = openEvents((news: StreamNews) => {
      switch (news.kind) {
        case 'up':
          pushed = true
          break
        case 'down':
          pushed = false
          soon()
          break
        case 'hello':
          set({ hostVersion: news.version })
          soon()
          break
        case 'server':
          put(news.server)
          break
        case 'tools':
          set({ toolsRevision: { ...state.toolsRevision, [news.id]: (state.toolsRevision[news.id] ?? 0) + 1 } })
          sizesChanged()
          break
        default:
          soon()
      }
    })
    const poll = setInterval(() => {
      if (document.hidden) return
      if (!pushed || state.trouble !== undefined) void refresh()
    }, pace.pollMs)
    window.addEventListener('online', soon)
    document.addEventListener('visibilitychange', soon)
    void refresh()
    return () => {
      close()
      clearTimeout(burst)
      clearTimeout(sizes)
      clearInterval(poll)
      window.removeEventListener('online', soon)
      document.removeEventListener('visibilitychange', soon)
    }
  }

  return {
    api,
    current: () => state,
    subscribe(listener) {
      listeners.add(listener)
      stop ??= start()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stop?.()
        stop = undefined
      }
    },
    refresh,
    put,
    putWorkspaces: (workspaces) => set({ workspaces }),
    putSettings: (settings) => set({ settings }),
  }
}

function troubleOf(error: unknown): Trouble {
  if (error instanceof RequestFailure && error.kind !== 'aborted') return { kind: error.kind, message: error.message }
  return { kind: 'failed', message: error instanceof Error ? error.message : '' }
}
