import type { IncomingHttpHeaders } from 'node:http'

/**
 * `ctx.connection` of hosts whose fence authenticates the browser. Hosts before that (observed on DSH 0.1.0-rc.8) mount a
 * service of the same name that only checks reachability and offers no such function.
 */
export interface ConnectionFence {
  /** `undefined` when the request is the host's own authenticated page, else the status to refuse it with. */
  requestRejection(request: { readonly headers: IncomingHttpHeaders }): 401 | 403 | undefined
}

/** Reads `ctx.get('connection')`: a fence that authenticates, or `undefined` when this host has none. */
export function connectionFence(service: unknown): ConnectionFence | undefined {
  if (typeof service !== 'object' || service === null) return undefined
  const { requestRejection } = service as Partial<ConnectionFence>
  if (typeof requestRejection !== 'function') return undefined
  return {
    requestRejection: (request) => {
      const rejection: unknown = requestRejection.call(service, request)
      if (rejection === undefined) return undefined
      return rejection === 401 ? 401 : 403
    },
  }
}
