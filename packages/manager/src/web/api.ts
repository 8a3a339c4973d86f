import { createEventStreams } from './event-stream.ts'
import { ApiError } from './errors.ts'
import { importRoutes } from './import-routes.ts'
import type { ApiParts } from './parts.ts'
import { createRouter, type Route } from './router.ts'
import { serverRoutes } from './server-routes.ts'
import { settingsRoutes } from './settings-routes.ts'
import { toolRoutes } from './tool-routes.ts'
import { trialRoutes } from './trial-routes.ts'
import { workspaceRoutes } from './workspace-routes.ts'

/** The HTTP API of the manager. */
export interface ManagerApi {
  /** Every route there is: what the tests of the fence are generated from. */
  readonly routes: readonly Route[]
  /** Answers any request below `/mcp-manager`. Never rejects. */
  handle(request: Request): Promise<Response>
  /** Ends open event streams and follows nothing any more. */
  close(): void
}

/** Builds the API on the parts of a running plugin. */
export function createApi(parts: ApiParts): ManagerApi {
  const events = createEventStreams(parts)
  const routes: readonly Route[] = [
    ...settingsRoutes(parts),
    ...trialRoutes(parts),
    ...serverRoutes(parts),
    ...toolRoutes(parts),
    ...workspaceRoutes(parts),
    ...importRoutes(parts),
    { method: 'GET', path: '/api/events', handle: ({ signal }) => events.open(signal) },
    {
      method: 'GET',
      path: '/callback/:id',
      access: 'redirect',
      handle: ({ request }) => {
        if (parts.login === undefined) throw new ApiError(501, 'browser login is not available in this profile')
        return parts.login.callback(request)
      },
    },
  ]
  return { routes, handle: createRouter(routes, parts.fence), close: () => events.close() }
}
