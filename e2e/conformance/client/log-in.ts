import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStateFile } from '../../../packages/manager/src/config/index.ts'
import type { HttpServer, StateFile } from '../../../packages/manager/src/config/index.ts'
import { resolveHttp } from '../../../packages/manager/src/connections/index.ts'
import type { ServerConnection } from '../../../packages/manager/src/connections/index.ts'
import type { AttemptLogs } from '../../../packages/manager/src/diagnostics/index.ts'
import { createOAuth } from '../../../packages/manager/src/oauth/index.ts'
import type { OAuth } from '../../../packages/manager/src/oauth/index.ts'

/** Credentials some scenarios hand to the client. */
export interface ScenarioContext {
  readonly client_id?: string
  readonly client_secret?: string
  readonly private_key_pem?: string
  readonly signing_algorithm?: string
}

/** The product's OAuth over a state file of its own, for one server with the id `conformance`. */
export interface Authority extends AsyncDisposable {
  readonly server: HttpServer
  readonly oauth: OAuth
  /** Logs in as a person whose browser follows the provider's redirect, then connects. */
  logIn(connection: ServerConnection): Promise<void>
}

const origin = 'http://127.0.0.1:3080'

function serverRecord(scenario: string, url: string, context: ScenarioContext) {
  const machine = scenario.startsWith('auth/client-credentials')
  return {
    id: 'conformance',
    name: 'conformance',
    type: 'http',
    url,
    ...(context.client_id !== undefined && { clientId: context.client_id }),
    ...(context.client_secret !== undefined && { clientSecretEnv: 'CONFORMANCE_CLIENT_SECRET' }),
    ...(machine && { oauthGrant: 'client_credentials' }),
    ...(context.private_key_pem !== undefined && {
      privateKeyEnv: 'CONFORMANCE_PRIVATE_KEY',
      privateKeyAlgorithm: context.signing_algorithm,
    }),
  }
}

function declared(state: StateFile): HttpServer {
  const [server] = state.current().servers
  if (server?.type !== 'http') throw new Error(state.current().problems.join('; '))
  return server
}

/** Opens it; `environment` receives the scenario's secrets, which the product reads only from there. */
export async function openAuthority(
  scenario: string,
  url: string,
  context: ScenarioContext,
  logs: AttemptLogs,
  environment: Record<string, string | undefined>,
): Promise<Authority> {
  const folder = await mkdtemp(join(tmpdir(), 'dsh-mcp-conformance-state-'))
  const path = join(folder, 'mcp-manager.json')
  await writeFile(path, JSON.stringify({ servers: [serverRecord(scenario, url, context)] }))
  environment.CONFORMANCE_CLIENT_SECRET = context.client_secret
  environment.CONFORMANCE_PRIVATE_KEY = context.private_key_pem
  const state = openStateFile(path)
  await state.reload()
  const oauth = createOAuth({
    state,
    logs,
    environment,
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    endpoint: (server) => resolveHttp(server, environment, logs.of(server.id)),
    declaration: async () => {
      await state.reload()
      return declared(state)
    },
  })
  return {
    server: declared(state),
    oauth,
    async logIn(connection) {
      const { authorizeUrl } = await oauth.beginAuthorization(declared(state), origin)
      const answer = await fetch(authorizeUrl, { redirect: 'manual' })
      await answer.body?.cancel()
      const location = answer.headers.get('location')
      if (location === null) throw new Error(`the provider did not redirect: HTTP ${answer.status}`)
      const outcome = await oauth.completeAuthorization(new URL(location))
      if (!outcome.result.ok) throw new Error(`${outcome.result.code}: ${outcome.result.detail}`)
      await connection.reconnect()
    },
    async [Symbol.asyncDispose]() {
      await oauth.close()
      await state.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
