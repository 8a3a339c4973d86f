import type { ServerDefinition } from './config/index.ts'
import type { ServerConnections } from './connections/index.ts'
import { callbackOrigin, callbackPath, parsePublicOrigins, resultPage, resultPageHeaders } from './oauth/index.ts'
import type { OAuth } from './oauth/index.ts'
import type { LoginPort } from './web/index.ts'

/** What {@link createLoginPort} stands between. */
export interface LoginPortParts {
  readonly oauth: OAuth
  readonly connections: Pick<ServerConnections, 'get'>
  /** Of the plugin row; what cannot be used is told through `warn`. */
  readonly publicOrigins: readonly string[]
  readonly warn: (line: string) => void
}

/** Browser login for the API: OAuth does it, and the connection of the server shows it. */
export function createLoginPort({ oauth, connections, publicOrigins, warn }: LoginPortParts): LoginPort {
  const { origins, problems } = parsePublicOrigins(publicOrigins)
  for (const problem of problems) warn(problem)

  function originOf(request: Request): string {
    const header = (name: string): string | undefined => request.headers.get(name) ?? undefined
    return callbackOrigin(
      {
        host: header('host') ?? new URL(request.url).host,
        origin: header('origin'),
        forwardedProto: header('x-forwarded-proto'),
        forwardedHost: header('x-forwarded-host'),
      },
      origins,
    )
  }

  function httpServer(server: ServerDefinition) {
    if (server.type !== 'http') throw new Error(`server "${server.name}" is a local program and has no login`)
    return server
  }

  return {
    async begin(server, request) {
      const { authorizeUrl } = await oauth.beginAuthorization(httpServer(server), originOf(request))
      connections.get(server.id)?.markAuthorizing()
      return new URL(authorizeUrl)
    },
    async logout(server) {
      await oauth.logOut(httpServer(server))
      await connections.get(server.id)?.reconnect()
    },
    async callback(request) {
      const { result, serverId, connect, resumedCalls } = await oauth.completeAuthorization(new URL(request.url))
      const connection = serverId === undefined ? undefined : connections.get(serverId)
      // A call that waited for this login goes on over its connection.
      if (connect && resumedCalls === 0) void connection?.reconnect()
      // A connection that runs has a login; a second one that failed, or a callback seen twice, takes nothing from it.
      if (!connect && !result.ok && connection?.status.state === 'authorizing') {
        connection.markNeedsAuth(`the login did not succeed (${result.code}): log in again`)
      }
      return new Response(resultPage(result), { headers: resultPageHeaders })
    },
    health: (server) => (server.type === 'http' && server.authMode === 'oauth' ? oauth.health(server) : undefined),
    callbackUrl(request) {
      try {
        return `${originOf(request)}${callbackPath}`
      } catch {
        // The page was opened under an address to which no login can return.
        return undefined
      }
    },
  }
}
