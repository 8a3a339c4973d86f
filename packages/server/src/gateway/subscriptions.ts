import { metaKey } from './era.ts'
import { ProtocolError } from './errors.ts'
import { isJsonObject } from './json.ts'
import type { JsonObject, JsonValue } from './json.ts'
import type { Method } from './method.ts'

/** The filter of `subscriptions/listen` (MCP 2026-07-28, Subscriptions). */
export interface ChangeFilter {
  readonly toolsListChanged?: true
  readonly promptsListChanged?: true
  readonly resourcesListChanged?: true
  readonly resourceSubscriptions?: readonly string[]
}

/** A source of change notifications. */
export interface ChangeFeed {
  /** The part of `wanted` that this feed can deliver. */
  honour(wanted: ChangeFilter): ChangeFilter
  /** Delivers what `filter` names until the returned function is called. */
  subscribe(filter: ChangeFilter, deliver: (method: string, params: JsonObject) => void): () => void
}

/**
 * `subscriptions/listen`: acknowledges the subset that is honoured, delivers news until the client leaves or the endpoint
 * closes, then ends with an empty result. Without a feed nothing is honoured and the stream stays silent.
 */
export function listenMethod(feed: ChangeFeed | undefined): Method {
  return {
    handle: async (params, context, id) => {
      const honoured = feed?.honour(readFilter(params.notifications)) ?? {}
      const mark = (extra: JsonObject): JsonObject => ({ ...extra, _meta: { [metaKey.subscriptionId]: id } })
      const { signal, exchange } = context
      const opened = exchange.notify(
        'notifications/subscriptions/acknowledged',
        mark({ notifications: { ...honoured } }),
      )
      if (!opened) {
        throw new ProtocolError('invalid-params', 'subscriptions/listen needs "text/event-stream" in the Accept header')
      }
      const stop = feed?.subscribe(honoured, (method, extra) => exchange.notify(method, mark(extra)))
      await aborted(signal)
      stop?.()
      return mark({})
    },
  }
}

function readFilter(wanted: JsonValue | undefined): ChangeFilter {
  if (!isJsonObject(wanted))
    throw new ProtocolError('invalid-params', 'subscriptions/listen needs params.notifications')
  const uris = wanted.resourceSubscriptions
  return {
    ...(wanted.toolsListChanged === true && { toolsListChanged: true }),
    ...(wanted.promptsListChanged === true && { promptsListChanged: true }),
    ...(wanted.resourcesListChanged === true && { resourcesListChanged: true }),
    ...(Array.isArray(uris) && { resourceSubscriptions: uris.filter((uri) => typeof uri === 'string') }),
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
