import type { PluginContext } from '@dsh-mcp/host'
import type { ServerConfig } from './config.ts'
import { mountEndpoint } from './mount.ts'

export { Config } from './config.ts'

export const name = 'dsh-mcp-server'

/** Services of every profile. The web server is not one of them, and a required service that never comes stops the host. */
export const inject = ['agents', 'sessions']

/** Exposes the harness as an MCP server while its web server is mounted. */
export function apply(context: PluginContext, config: ServerConfig): void {
  context.inject(['webServer'], (web) => mountEndpoint(web, config))
}
