import { connectionFence, dshHome, hostSettled, pluginLog } from '@dsh-mcp/host'
import type { PluginContext, PluginLog, WebServerService } from '@dsh-mcp/host'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import type { ServerConfig } from './config.ts'
import { loadToken } from './endpoint-file.ts'
import type { Endpoint } from './http/index.ts'
import { keepEndpoint } from './keep-endpoint.ts'

/** The path of the endpoint on the host's web server. */
const endpointPath = '/mcp'

/**
 * Mounts the endpoint on a web server and publishes where it is; unwinds with `context`. Nothing here can fail the start of
 * the host: what does not work is logged, and the rest goes on.
 */
export function mountEndpoint(context: PluginContext, config: ServerConfig): void {
  const log = pluginLog(context.logger, 'dsh-mcp-server')
  const webServer = context.get('webServer') as WebServerService
  const directory = config.endpointDirectory ?? join(dshHome(), 'mcp')
  const token = config.token ?? tokenOf(directory, log)
  const endpoint = once(() => buildEndpoint(context, config, token, log))
  const handler = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await (await endpoint.get()).handle(request, response)
    } catch (error) {
      log.warn('a request failed', error)
      unavailable(response)
    }
  }
  try {
    context.effect(() => webServer.register({ kind: 'exact', path: endpointPath, handler }), 'dsh-mcp: route')
  } catch (error) {
    log.warn(`${endpointPath} is taken by another plugin; no MCP endpoint (${asError(error).message})`)
    return
  }
  context.effect(() => async () => (await endpoint.known())?.close(), 'dsh-mcp: open calls')
  context.effect(() => publish(directory, token, webServer.port, log), 'dsh-mcp: endpoint file')
  void hostSettled(context)
    .then(endpoint.get)
    .catch((error: unknown) => log.warn('the endpoint could not be built', error))
}

async function buildEndpoint(
  context: PluginContext,
  config: ServerConfig,
  token: string,
  log: PluginLog,
): Promise<Endpoint> {
  const [
    { createGateway },
    { createAdmission, createEndpoint, createTokenCheck },
    { endpointInstructions },
    { loadSets },
  ] = await Promise.all([
    import('./gateway/index.ts'),
    import('./http/index.ts'),
    import('./instructions.ts'),
    import('./sets.ts'),
  ])
  const { tools, resources } = await loadSets(context, config)
  const serverInfo = { name: 'dsh-mcp-server', title: 'DeepSeek Harness MCP Server', version: manifest.version }
  const gateway = createGateway({
    identity: { serverInfo, instructions: endpointInstructions(config.instructions) },
    tools,
    resources,
    onInternalError: (method, error) => log.warn(`${method} failed`, error),
  })
  const admit = createAdmission({
    checkToken: createTokenCheck(token),
    fence: () => (config.allowConnectionAuth ? connectionFence(context.get('connection')) : undefined),
    publicOrigins: config.publicOrigins,
  })
  return createEndpoint({ gateway, admit, maxBodyBytes: config.maxBodyBytes })
}

function tokenOf(directory: string, log: PluginLog): string {
  try {
    return loadToken(directory)
  } catch (error) {
    log.warn(`no token could be kept in ${directory} (${asError(error).message}); this run has a new one`)
    return randomBytes(32).toString('base64url')
  }
}

function publish(directory: string, token: string, port: number, log: PluginLog): () => void {
  const url = `http://127.0.0.1:${port}${endpointPath}`
  try {
    const { version } = manifest
    return keepEndpoint(directory, { url, token, pid: process.pid, version, startedAt: new Date().toISOString() })
  } catch (error) {
    const reason = asError(error).message
    log.warn(
      `${url} is up, but ${directory} cannot be written (${reason}). Clients will not find it by ` +
        'themselves: set "token" in the configuration of the plugin and give it to them with the URL.',
    )
    return () => {}
  }
}

function unavailable(response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const text = JSON.stringify({
    error: 'unavailable',
    message: 'The MCP endpoint failed; the harness log has the cause.',
  })
  response.writeHead(503, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text)
}

/** Builds on first use and keeps the result; a failure is not kept, so that the next use tries again. */
function once<T>(build: () => Promise<T>): { get(): Promise<T>; known(): Promise<T | undefined> } {
  let built: Promise<T> | undefined
  return {
    get: () => {
      built ??= build().catch((error: unknown) => {
        built = undefined
        throw error
      })
      return built
    },
    known: async () => built?.catch(() => undefined),
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
