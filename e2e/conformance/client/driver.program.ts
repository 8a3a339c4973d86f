import { loadServerParser } from '../../../packages/manager/src/config/index.ts'
import { createConnections, noAuthorization } from '../../../packages/manager/src/connections/index.ts'
import type { ConfigureClient, ServerConnection } from '../../../packages/manager/src/connections/index.ts'
import { createAttemptLogs } from '../../../packages/manager/src/diagnostics/index.ts'
import { openAuthority } from './log-in.ts'
import type { ScenarioContext } from './log-in.ts'
import { sampleOf } from './sample.ts'

/**
 * The client under test of the official conformance suite: connects to the URL in the last argument as the manager does,
 * lists the tools and calls them. All but the answers to elicitations and the person at the browser is the product's own
 * code.
 */
const url = process.argv.at(-1)!
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as ScenarioContext & {
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[]
}

const answerElicitations: ConfigureClient = (client) => {
  client.registerCapabilities({ elicitation: { form: { applyDefaults: true } } })
  client.setRequestHandler('elicitation/create', (request) => {
    const { requestedSchema } = request.params as { requestedSchema?: unknown }
    // A field with a default is left to it.
    return { action: 'accept', content: sampleOf(requestedSchema, { withDefaults: false }) }
  })
}

/** How often a person logs in again before giving up on a server. */
const patience = 5

async function callTools(connection: ServerConnection, logIn?: () => Promise<void>): Promise<void> {
  const planned =
    context.toolCalls ?? connection.tools.map(({ name, inputSchema }) => ({ name, arguments: sampleOf(inputSchema) }))
  for (const call of planned) {
    try {
      await connection.callTool(call.name, call.arguments)
    } catch (error) {
      // A refused call is the business of the scenario, which watches the wire.
      console.error(`${call.name}: ${error instanceof Error ? error.message : String(error)}`)
      if (logIn === undefined) continue
      for (let tries = 0; connection.status.state === 'needs-auth' && tries < patience; tries++) {
        await logIn()
        await connection.callTool(call.name, call.arguments).catch((again: unknown) => console.error(String(again)))
      }
    }
  }
}

const logs = createAttemptLogs()
const environment: Record<string, string | undefined> = { ...process.env }

async function withoutLogin(): Promise<void> {
  const parse = await loadServerParser()
  const parsed = parse(
    { type: 'http', url, authMode: 'none' },
    { id: 'conformance', name: 'conformance', source: { kind: 'global' } },
  )
  if (!parsed.ok) throw new Error(parsed.problem)
  const connections = createConnections(
    { logs, environment, authorize: () => noAuthorization, toolCallTimeoutMs: 20_000 },
    answerElicitations,
  )
  try {
    const connection = connections.start(parsed.server)
    await connection.firstAttempt
    if (connection.status.state !== 'connected') throw new Error(JSON.stringify(connection.status))
    await callTools(connection)
  } finally {
    await connections.close()
  }
}

async function withLogin(): Promise<void> {
  await using authority = await openAuthority(scenario, url, context, logs, environment)
  const connections = createConnections(
    { logs, environment, authorize: (server) => authority.oauth.authorize(server), toolCallTimeoutMs: 20_000 },
    answerElicitations,
  )
  try {
    const connection = connections.start(authority.server)
    await connection.firstAttempt
    for (let tries = 0; connection.status.state === 'needs-auth' && tries < patience; tries++) {
      await authority.logIn(connection)
    }
    if (connection.status.state !== 'connected') throw new Error(JSON.stringify(connection.status))
    await callTools(connection, () => authority.logIn(connection))
  } finally {
    await connections.close()
  }
}

try {
  await (scenario.startsWith('auth/') ? withLogin() : withoutLogin())
} catch (error) {
  console.error(error, logs.of('conformance').entries())
  process.exitCode = 1
}
