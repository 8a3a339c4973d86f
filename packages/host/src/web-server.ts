import type { IncomingMessage, ServerResponse } from 'node:http'

/** A handler sees every method of its path and owns the whole response. */
export interface WebRoute {
  /** `exact` matches the path verbatim; `prefix` also everything below it. */
  readonly kind: 'exact' | 'prefix'
  /** Absolute, without a trailing slash. */
  readonly path: string
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>
}

/** `ctx.webServer` of the web profile (observed on DSH 0.1.0-rc.8). Not mounted in the headless profile. */
export interface WebServerService {
  /** The bound port, also when the configured one is 0. */
  readonly port: number
  /** The configured bind address: loopback or all interfaces. */
  readonly host: string
  /** Throws when the pair of kind and path is taken. Returns what removes the route. */
  register(route: WebRoute): () => void
}
