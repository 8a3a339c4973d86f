import { loadServerParser } from '../../../packages/manager/src/config/index.ts'
import { createConnections, noAuthorization } from '../../../packages/manager/src/connections/index.ts'
import type { ConfigureClient, ServerConnection } from '../../../packages/manager/src/connections/index.ts'
import { createAttemptLogs } from '../../../packages/manager/src/diagnostics/index.ts'
import { sampleOf } from './sample.ts'

/**
 * The client under test of the official conformance suite: connects to the URL in the last argument as the manager does,
 * lists the tools and calls them. All but the answers to elicitations is the product's own code.
 */
const url = process.argv.at(-1)!
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as {
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

async function callTools(connection: ServerConnection): Promise<void> {
  const planned =
    context.toolCalls ?? connection.tools.map(({ name, inputSchema }) => ({ name, arguments: sampleOf(inputSchema) }))
  for (const call of planned) {
    try {
      await connection.callTool(call.name, call.arguments)
    } catch (error) {
      // A refused call is the business of the scenario, which watches the wire.
      console.error(`${call.name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

const parse = await loadServerParser()
const parsed = parse(
  { type: 'http', url, authMode: 'none' },
  { id: 'conformance', name: 'conformance', source: { kind: 'global' } },
)
if (!parsed.ok) throw new Error(parsed.problem)
const logs = createAttemptLogs()
const connections = createConnections(
  { logs, environment: process.env, authorize: () => noAuthorization, toolCallTimeoutMs: 20_000 },
  answerElicitations,
)
try {
  const connection = connections.start(parsed.server)
  await connection.firstAttempt
  if (connection.status.state !== 'connected') throw new Error(JSON.stringify(connection.status))
  await callTools(connection)
} catch (error) {
  console.error(error, logs.of('conformance').entries())
  process.exitCode = 1
} finally {
  await connections.close()
}
