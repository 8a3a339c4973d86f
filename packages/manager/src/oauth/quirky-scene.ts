import type { ServerResponse } from 'node:http'
import { startProtectedServer, startQuirkyAuthorizationServer } from '@dsh-mcp/testkit'
import type { ProtectedServerOptions, QuirkyAuthorizationServer, Quirks } from '@dsh-mcp/testkit'
import { openRig } from './test-rig.ts'
import type { Rig } from './test-rig.ts'

/** A provider with quirks, a server that trusts it, and this room between them. */
export interface QuirkyScene extends AsyncDisposable {
  readonly provider: QuirkyAuthorizationServer
  readonly target: Awaited<ReturnType<typeof startProtectedServer>>
  readonly rig: Rig
}

export interface QuirkySceneOptions {
  readonly quirks?: Quirks
  readonly target?: (provider: QuirkyAuthorizationServer) => ProtectedServerOptions
  readonly server?: Readonly<Record<string, unknown>>
  readonly environment?: Readonly<Record<string, string>>
  readonly rig?: Parameters<typeof openRig>[1]
}

export async function openQuirkyScene({
  quirks = {},
  target,
  server,
  environment,
  rig: rigOptions,
}: QuirkySceneOptions = {}): Promise<QuirkyScene> {
  const provider = await startQuirkyAuthorizationServer({ registration: true, expiresIn: 3600, ...quirks })
  const protectedServer = await startProtectedServer({
    authorizationServers: [provider.issuer],
    async verify(token) {
      const scopes = provider.scopesOf(token)
      return scopes === undefined ? undefined : { scopes }
    },
    ...target?.(provider),
  })
  const rig = await openRig({ url: protectedServer.url, ...server }, rigOptions)
  Object.assign(rig.environment, environment)
  return {
    provider,
    target: protectedServer,
    rig,
    async [Symbol.asyncDispose]() {
      await rig[Symbol.asyncDispose]()
      await protectedServer[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
    },
  }
}

/** Answers a request in the provider's or the server's place. */
export const answer = (
  response: ServerResponse,
  status: number,
  body = '',
  headers: Record<string, string> = {},
): true => {
  response.writeHead(status, headers).end(body)
  return true
}

/** A person logs in and comes back. */
export const login = ({ rig, provider }: QuirkyScene) => rig.logIn((url) => provider.login(url))
/** What the token endpoint was sent, in order. */
export const tokenForms = ({ provider }: QuirkyScene) =>
  provider.requests.filter(({ path }) => path.endsWith('/token')).map(({ form }) => form)
