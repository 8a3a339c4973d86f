import type { PluginContext } from '@dsh-mcp/host'
import type { ServerConfig } from './config.ts'
import { ProtocolError } from './gateway/index.ts'
import type { ResourceSet, ToolSet } from './gateway/index.ts'

/** What the endpoint of a harness offers. Loaded after the host has started, with everything it needs. */
export async function loadSets(
  _context: PluginContext,
  _config: ServerConfig,
): Promise<{ readonly tools: ToolSet; readonly resources: ResourceSet }> {
  const tools: ToolSet = {
    list: () => [],
    call: (name) => Promise.reject(new ProtocolError('unknown-tool', `Unknown tool: ${name}`)),
  }
  const resources: ResourceSet = {
    list: () => [],
    templates: () => [],
    read: (uri) => Promise.reject(new ProtocolError('resource-not-found', `Resource not found: ${uri}`)),
  }
  return { tools, resources }
}
