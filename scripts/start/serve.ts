import { join } from 'node:path'
import { freePort, pluginFolder, startEverything } from '@dsh-mcp/testkit'
import type { HttpPeer, WebHost } from '@dsh-mcp/testkit'
import { clientConfigurations } from './client-configurations.ts'
import { startHarness } from './harness.ts'
import type { StartOptions } from './options.ts'
import { StartError } from './options.ts'
import { offlineModelPatch } from './offline-patch.ts'
import { ensurePortIsFree } from './port.ts'
import { ensureStateFile, samplePort } from './sample-state.ts'

/** The sample HTTP server on its usual port, on any free one when that is taken. */
async function startSample(): Promise<HttpPeer> {
  try {
    await ensurePortIsFree(samplePort, 'the sample server', '')
    return await startEverything('streamableHttp', samplePort)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return startEverything('streamableHttp', await freePort())
  }
}

function boot(options: StartOptions, sample: HttpPeer): Promise<WebHost> {
  const key = process.env.DEEPSEEK_API_KEY
  return startHarness({
    home: options.home,
    plugins: ['manager', 'server'],
    model: 'own',
    patches: key ? [] : [offlineModelPatch()],
    port: options.port,
    cwd: process.cwd(),
    env: { SAMPLE_MCP_PORT: String(sample.port), ...(key && { DEEPSEEK_API_KEY: key }) },
  })
}

function report(host: WebHost, options: StartOptions): void {
  const bridge = join(pluginFolder('server'), 'bin', 'dsh-mcp-stdio.mjs')
  console.log(`
  Page          ${host.url}   (Settings → MCP manages the servers; type in the chat to call one of their tools)
  MCP endpoint  ${host.url}/mcp   (token in ${join(options.home, 'mcp', 'dsh-mcp-endpoint.json')})
  Model         ${process.env.DEEPSEEK_API_KEY ? 'DeepSeek, with your key' : 'offline demonstration (set DEEPSEEK_API_KEY for a real one)'}

Connect an MCP client to this harness:

${clientConfigurations(bridge, options.home, `${host.url}/mcp`)}
Stop with Ctrl-C.`)
}

/** Boots the harness and stays until it ends or Ctrl-C. Resolves with the exit code. */
export async function serve(options: StartOptions): Promise<number> {
  await ensurePortIsFree(options.port, 'the page', 'Stop what uses it, or choose another with `npm start -- --port N`.')
  const state = await ensureStateFile(options.home)
  if (state === 'created')
    console.log(`dsh-mcp: two sample MCP servers written to ${join(options.home, 'mcp-manager.json')}`)
  console.log('dsh-mcp: starting the sample server and the harness …')
  await using sample = await startSample()
  await using host = await boot(options, sample)
  report(host, options)
  const stopped = new Promise<'stopped'>((resolve) => {
    process.once('SIGINT', () => resolve('stopped'))
    process.once('SIGTERM', () => resolve('stopped'))
  })
  const end = await Promise.race([stopped, host.child.exited])
  if (end === 'stopped') {
    console.log('\ndsh-mcp: stopping …')
    return 0
  }
  console.error(`dsh-mcp: the harness ended by itself (${end.code ?? end.signal}).\n${host.child.stderr()}`)
  return 1
}
