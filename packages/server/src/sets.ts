import type { HostServiceContext, PluginContext, WebServerService } from '@dsh-mcp/host'
import manifest from '../package.json' with { type: 'json' }
import type { ServerConfig } from './config.ts'
import type { ResourceSet, ToolSet } from './gateway/index.ts'
import { openHarness } from './harness/index.ts'
import { createResourceSet } from './resources/index.ts'
import { createToolSet, tools } from './tools/index.ts'

/** What the endpoint of a harness offers. Loaded after the host has started, with everything it needs. */
export async function loadSets(
  context: PluginContext,
  config: ServerConfig,
): Promise<{ readonly tools: ToolSet; readonly resources: ResourceSet }> {
  // A plugin's context has all of it; the narrow type is what every plugin of ours needs.
  const harness = await openHarness(context as PluginContext & HostServiceContext, config)
  const about = {
    name: 'dsh-mcp-server',
    version: manifest.version,
    endpoint: () => {
      const webServer = context.get('webServer') as WebServerService | undefined
      return webServer === undefined
        ? null
        : {
            url: `http://127.0.0.1:${webServer.port}/mcp`,
            auth: config.allowConnectionAuth ? ['token', 'connection'] : ['token'],
          }
    },
    limits: { maxBodyBytes: config.maxBodyBytes, maxWaitSeconds: 21_600 },
  }
  return { tools: createToolSet(tools, harness, about), resources: createResourceSet(harness, about) }
}
