/** The part of `oidc-provider` the tests use; the package ships no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  interface EventContext {
    readonly oidc?: { readonly params?: Readonly<Record<string, string | undefined>> }
  }

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>)
    callback(): RequestListener
    on(event: string, listener: (context: EventContext, error?: Error) => void): this
  }
}
