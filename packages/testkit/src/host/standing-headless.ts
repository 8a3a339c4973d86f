import { startChild } from './child.ts'
import type { Child } from './child.ts'
import { runningHostEnvironment } from './environment.ts'
import { installPlugins } from './install.ts'
import { patchFlags } from './patches.ts'
import { dshEntry, nodeBinary } from './paths.ts'
import type { WebHostOptions } from './web.ts'

/** The web server that the headless profile does not have by itself. */
const webServerPatch = JSON.stringify([
  { insert: [{ id: 'web-server', name: '@deepseek-ai/dsh-host-webserver', config: { host: '127.0.0.1', port: 0 } }] },
])

/**
 * Starts the real headless profile with a web server beside it, on a task that hangs until it is stopped: a host with
 * neither gateway, agent presets nor workspaces.
 */
export async function startStandingHeadless(
  options: Pick<WebHostOptions, 'home' | 'plugins' | 'patches' | 'cwd' | 'env'>,
): Promise<Child> {
  const { home, plugins = [], patches = [] } = options
  await installPlugins(home, 'headless', plugins)
  const flags = await patchFlags(home, [webServerPatch, ...patches], 'scripted')
  return startChild(nodeBinary, [dshEntry, '--profile', 'headless', ...flags, 'hang'], {
    cwd: options.cwd ?? home,
    env: await runningHostEnvironment(home, options.env),
    input: '',
  })
}
