import { MethodNotFoundError } from './errors.ts'
import type { Params } from './frames.ts'
import type { RequestOptions } from './pending-requests.ts'
import type { NotificationHandler } from './incoming.ts'
import type { JsonRpcLineTransport } from './transport.ts'
import type {
  HarnessSdkClientRequestMap,
  HarnessSdkHostRequestMap,
  HarnessSdkNotificationMap,
  HarnessSdkRequestMap,
} from './types/index.ts'

type RequestMap<Map> = { [Method in keyof Map]: { params: unknown; result: unknown } }

type ParamsOf<Map extends RequestMap<Map>, Method extends keyof Map> = Map[Method]['params']

/** A method without params is called as `request(method)` or `request(method, undefined, options)`. */
type RequestArguments<P> = P extends undefined
  ? [params?: undefined, options?: AbortSignal | RequestOptions]
  : [params: P, options?: AbortSignal | RequestOptions]

/** Handlers of the methods that this side serves. Params are what the peer sent: their type is a promise, not a check. */
export type RequestHandlers<Map extends RequestMap<Map>> = {
  [Method in keyof Map]?: (params: ParamsOf<Map, Method>) => Map[Method]['result'] | Promise<Map[Method]['result']>
}

export type NotificationHandlers<Map> = { [Method in keyof Map]?: (params: Map[Method]) => unknown }

/** What a client, or a host that embeds one, says to the runtime and hears from it, with the types of each method. */
export interface HarnessSdkClientPeer {
  request<Method extends keyof HarnessSdkRequestMap>(
    method: Method,
    ...args: RequestArguments<HarnessSdkRequestMap[Method]['params']>
  ): Promise<HarnessSdkRequestMap[Method]['result']>
  /** Sets the handlers of the runtime's requests. A method without a handler is answered -32601, which denies. */
  serve(handlers: RequestHandlers<HarnessSdkClientRequestMap & HarnessSdkHostRequestMap>): void
  /** Sets the handlers of notifications; `otherwise` gets the ones without a handler, unknown methods included. */
  listen(handlers: NotificationHandlers<HarnessSdkNotificationMap>, otherwise?: NotificationHandler): void
}

/** What a runtime says to its client and hears from it, with the types of each method. */
export interface HarnessSdkRuntimePeer {
  request<Method extends keyof (HarnessSdkClientRequestMap & HarnessSdkHostRequestMap)>(
    method: Method,
    ...args: RequestArguments<(HarnessSdkClientRequestMap & HarnessSdkHostRequestMap)[Method]['params']>
  ): Promise<(HarnessSdkClientRequestMap & HarnessSdkHostRequestMap)[Method]['result']>
  notify<Method extends keyof HarnessSdkNotificationMap>(
    method: Method,
    params: HarnessSdkNotificationMap[Method],
  ): void
  /** Sets the handlers of the client's requests. A method without a handler is answered -32601. */
  serve(handlers: RequestHandlers<HarnessSdkRequestMap>): void
}

/**
 * The client's side of a transport, typed by {@link HarnessSdkRequestMap} and its companions. Nothing is added to what is
 * sent; the transport stays usable for methods that the maps do not hold.
 *
 * @example
 * ```ts
 * const runtime = clientPeer(transport)
 * const { messageId } = await runtime.request('session/prompt', { sessionId, contentBlocks })
 * ```
 */
export function clientPeer(transport: JsonRpcLineTransport): HarnessSdkClientPeer {
  return {
    request: (method, ...[params, options]) => transport.request(method, params, options) as Promise<never>,
    serve: (handlers) => serve(transport, handlers),
    listen: (handlers, otherwise) =>
      transport.onNotification((method, params) => {
        const handler = own(handlers, method)
        return handler === undefined ? otherwise?.(method, params) : handler(params)
      }),
  }
}

/** The runtime's side of a transport, typed alike. */
export function runtimePeer(transport: JsonRpcLineTransport): HarnessSdkRuntimePeer {
  return {
    request: (method, ...[params, options]) => transport.request(method, params, options) as Promise<never>,
    notify: (method, params) => transport.notify(method, params),
    serve: (handlers) => serve(transport, handlers),
  }
}

function serve(transport: JsonRpcLineTransport, handlers: object): void {
  transport.onRequest((method, params) => {
    const handler = own(handlers, method)
    if (handler === undefined) throw new MethodNotFoundError(method)
    return handler(params)
  })
}

/** A method's name comes from the peer: `toString` is not a handler. */
function own(handlers: object, method: string): ((params: Params) => unknown) | undefined {
  if (!Object.hasOwn(handlers, method)) return undefined
  return (handlers as Record<string, ((params: Params) => unknown) | undefined>)[method]
}
