import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolRegistry } from '@dsh-mcp/host'
import { hostToolRegistry } from '@dsh-mcp/testkit'
import { openStateFile } from '../config/index.ts'
import { createConnections, noAuthorization } from '../connections/index.ts'
import { createAttemptLogs } from '../diagnostics/index.ts'
import { agentLayers, offerTools } from '../tools/index.ts'
import { openWorkspaces } from '../workspaces/index.ts'
import { createApi, type ManagerApi } from './api.ts'
import type { ApiParts } from './parts.ts'

/** An API over the real rooms, in a folder of its own, without a host around it. */
export interface TestApi extends AsyncDisposable {
  readonly api: ManagerApi
  readonly parts: ApiParts
  /** A request as a program of this machine sends it; `path` is below `/mcp-manager`. */
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
}

/** Opens the rooms and the API on them. `workspaces`: roots the host would know. */
export async function openTestApi(
  options: Partial<Pick<ApiParts, 'login' | 'fence' | 'askBeforeWorkspaceCommands' | 'builtin'>> & {
    readonly workspaces?: readonly string[]
  } = {},
): Promise<TestApi> {
  const home = await mkdtemp(join(tmpdir(), 'dsh-mcp-api-'))
  const logs = createAttemptLogs()
  const settings = { environment: process.env, authorize: () => noAuthorization, toolCallTimeoutMs: 60_000 }
  const state = openStateFile(join(home, 'mcp-manager.json'))
  const connections = createConnections({ ...settings, logs })
  const tools = offerTools({
    connections,
    service: () => undefined,
    registry: await hostToolRegistry<ToolRegistry>(),
    report: () => undefined,
  })
  const askBeforeWorkspaceCommands = options.askBeforeWorkspaceCommands ?? (() => false)
  const workspaces = openWorkspaces({
    state,
    connections,
    layers: agentLayers(tools, (start) => start()),
    environment: process.env,
    registered: async () => options.workspaces ?? [],
    askBeforeCommands: askBeforeWorkspaceCommands,
    log: () => undefined,
  })
  state.subscribe(({ servers }, before) => {
    for (const { id } of before.servers) if (!servers.some((server) => server.id === id)) void connections.stop(id)
    for (const server of servers) connections.start(server)
  })
  await state.reload()
  const parts: ApiParts = {
    state,
    connections,
    logs,
    tools,
    workspaces,
    login: options.login,
    fence: options.fence ?? { publicOrigins: [], connection: () => undefined },
    tryConnect(definition) {
      const trialLogs = createAttemptLogs()
      const trial = createConnections({ ...settings, logs: trialLogs })
      const connection = trial.start(definition)
      return { connection, entries: () => trialLogs.of(definition.id).entries(), close: () => trial.close() }
    },
    builtin: options.builtin ?? (() => []),
    brokerBytes: () => 0,
    askBeforeWorkspaceCommands,
    version: '0.0.0-test',
  }
  const api = createApi(parts)
  return {
    api,
    parts,
    send: (method, path, body, headers = {}) =>
      api.handle(
        new Request(`http://localhost/mcp-manager${path}`, {
          method,
          headers: {
            host: '127.0.0.1:3080',
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        }),
      ),
    async [Symbol.asyncDispose]() {
      api.close()
      await workspaces.close()
      tools.close()
      await connections.close()
      await state.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}
