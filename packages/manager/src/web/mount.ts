import type { PluginContext, WebServerService } from '@dsh-mcp/host'
import { jsonResponse } from './errors.ts'
import { nodeHandler } from './node-adapter.ts'
import { prefix } from './router.ts'

/** The part of the API that a route needs. */
interface Handling {
  handle(request: Request): Promise<Response>
}

/**
 * Serves the API at `/mcp-manager` while the host has a web server. The route is there as soon as the host has its address and
 * requests wait for `api`, so that nobody is answered with the page of the host instead. A profile without a web server goes
 * without; a path that another plugin holds is told through `warn`, and the rest of the manager goes on.
 */
export function mountApi(
  context: PluginContext,
  api: () => Promise<Handling | undefined>,
  warn: (line: string) => void,
): void {
  const handle = async (request: Request): Promise<Response> => {
    const ready = await api()
    if (ready !== undefined) return ready.handle(request)
    return jsonResponse({ error: 'the MCP manager could not start: see the log of DSH' }, 503)
  }
  context.inject(['webServer'], (child) => {
    const server = child.get('webServer') as WebServerService
    child.effect(() => {
      try {
        return server.register({ kind: 'prefix', path: prefix, handler: nodeHandler(handle) })
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        warn(`${prefix} is taken by another plugin, so there is no Settings page of this one: ${reason}`)
        return () => undefined
      }
    }, 'mcp-manager: HTTP API')
  })
}
