import type { PluginContext, WebServerService } from '@dsh-mcp/host'
import type { ManagerApi } from './api.ts'
import { nodeHandler } from './node-adapter.ts'
import { prefix } from './router.ts'

/**
 * Serves the API at `/mcp-manager` while the host has a web server. A profile without one goes without; a path that another
 * plugin holds is told through `warn`, and the rest of the manager goes on.
 */
export function mountApi(context: PluginContext, api: ManagerApi, warn: (line: string) => void): void {
  context.inject(['webServer'], (child) => {
    const server = child.get('webServer') as WebServerService
    child.effect(() => {
      try {
        return server.register({ kind: 'prefix', path: prefix, handler: nodeHandler((request) => api.handle(request)) })
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        warn(`${prefix} is taken by another plugin, so there is no Settings page of this one: ${reason}`)
        return () => undefined
      }
    }, 'mcp-manager: HTTP API')
  })
}
