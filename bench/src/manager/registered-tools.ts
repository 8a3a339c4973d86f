import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ToolRegistry } from '@dsh-mcp/host'
import { hostToolContext, importHostPackage, nodeBinary, type ToolContext } from '@dsh-mcp/testkit'
import type { StdioServer } from '../../../packages/manager/src/config/index.ts'
import { createConnections, noAuthorization } from '../../../packages/manager/src/connections/index.ts'
import { createAttemptLogs } from '../../../packages/manager/src/diagnostics/index.ts'
import { offerTools, projectInputSchema, type OfferedTools } from '../../../packages/manager/src/tools/index.ts'
import { alternate, contextRow, goalRow, median, timed, type Row } from '../../harness/index.ts'

const program = fileURLToPath(new URL('changing-server.program.mjs', import.meta.url))

interface Ours extends AsyncDisposable {
  readonly offered: OfferedTools
  /** Names in the order they were registered with the host. */
  readonly registered: string[]
}

/** Our side: connections and registrations, on the registry of `context`. */
async function openOurs(context: ToolContext, name: string, tools: number): Promise<Ours> {
  const registry = context.get('tools') as ToolRegistry
  const registered: string[] = []
  const connections = createConnections({
    logs: createAttemptLogs(),
    environment: process.env,
    authorize: () => noAuthorization,
    toolCallTimeoutMs: 60_000,
  })
  const offered = offerTools({
    connections,
    service: () => undefined,
    report: (message) => process.stderr.write(`${message}\n`),
    registry: {
      register(definition) {
        registered.push(definition.name)
        return registry.register(definition)
      },
      get: (tool, agent) => registry.get(tool, agent),
      schemas: (agent) => registry.schemas(agent),
    },
  })
  const server: StdioServer = {
    id: name,
    name,
    source: { kind: 'global' },
    enabled: true,
    raw: {},
    type: 'stdio',
    command: nodeBinary,
    args: [program, String(tools)],
    env: {},
  }
  await connections.start(server).firstAttempt
  return {
    offered,
    registered,
    async [Symbol.asyncDispose]() {
      offered.close()
      await connections.close()
    },
  }
}

async function call(registry: ToolRegistry, name: string): Promise<void> {
  const outcome = await registry.execute({
    callId: 'bench',
    name,
    arguments: { argument_0: 'x' },
    signal: new AbortController().signal,
  })
  if (outcome.isError) throw new Error(`${name}: ${outcome.error.message}`)
}

/** Median milliseconds of one call, over `count` calls one after the other. */
async function medianCall(registry: ToolRegistry, name: string, count: number): Promise<number> {
  const samples: number[] = []
  for (let index = 0; index < count; index++) samples.push(await timed(() => call(registry, name)))
  return median(samples)
}

/** One call through the whole host pipeline, ours beside the tool the built-in client registers for the same server. */
export async function registeredCall(progress: (text: string) => void): Promise<readonly Row[]> {
  const context = await hostToolContext()
  const registry = context.get('tools') as ToolRegistry
  const builtin = await importHostPackage<object>('@deepseek-ai/dsh-mcp-client')
  await context.plugin(builtin, {
    serverName: 'builtin',
    transport: 'stdio',
    command: nodeBinary,
    args: [program, '4'],
  })
  await using _ours = await openOurs(context, 'ours', 4)
  const subjects = {
    ours: () => medianCall(registry, 'mcp__ours__tool_1', 200),
    builtin: () => medianCall(registry, 'mcp__builtin__tool_1', 200),
  }
  const comparison = await alternate(subjects, 11, 2)
  progress(
    `registered call: ours ${comparison.median('ours').toFixed(3)} ms, built-in ${comparison.median('builtin').toFixed(3)} ms`,
  )
  const rows = [
    goalRow(
      'one call through the registered tool, p50, to the built-in client',
      comparison.ratio('ours', 'builtin'),
      '×',
      {
        atMost: 1.1,
      },
    ),
    contextRow('one call through the registered tool, p50', comparison.median('ours'), 'ms'),
  ]
  await (context as unknown as { fiber: { dispose(): Promise<void> } }).fiber.dispose()
  return rows
}

/** A server of 1 000 tools changes one: from the call that changes it to the registration. */
export async function listChanged(progress: (text: string) => void): Promise<readonly Row[]> {
  const context = await hostToolContext()
  const registry = context.get('tools') as ToolRegistry
  await using ours = await openOurs(context, 'ours', 1000)
  const { offered, registered } = ours
  const samples: number[] = []
  let touched = 0
  for (let round = 0; round < 15; round++) {
    const before = registered.length
    const changed = new Promise<void>((resolve) => {
      const end = offered.subscribe(() => {
        end()
        resolve()
      })
    })
    samples.push(
      await timed(async () => {
        await call(registry, 'mcp__ours__tool_0')
        await changed
      }),
    )
    touched = Math.max(touched, registered.length - before)
  }
  progress(`list_changed: ${median(samples).toFixed(1)} ms, ${touched} registrations touched`)
  return [
    goalRow('list_changed, 1 of 1 000 tools: registrations touched', touched, '', { atMost: 1 }),
    goalRow('list_changed, 1 of 1 000 tools: call, re-list and registration', median(samples), 'ms', { atMost: 30 }),
  ]
}

/** The 527 real schemas: projected, beside copied. */
export async function projection(progress: (text: string) => void): Promise<readonly Row[]> {
  const file = fileURLToPath(new URL('../../data/tool-search/servers.json', import.meta.url))
  const servers = JSON.parse(readFileSync(file, 'utf8')) as { tools: { inputSchema: unknown }[] }[]
  const schemas = servers.flatMap((server) => server.tools.map((tool) => tool.inputSchema))
  const subjects = {
    projected: () => timed(() => void schemas.map((schema) => projectInputSchema(schema))),
    cloned: () => timed(() => void schemas.map((schema) => structuredClone(schema))),
  }
  const comparison = await alternate(subjects, 51, 5)
  progress(
    `projection: ${comparison.median('projected').toFixed(2)} ms, clone ${comparison.median('cloned').toFixed(2)} ms`,
  )
  return [
    goalRow(
      `projection of ${schemas.length} real schemas, to structuredClone`,
      comparison.ratio('projected', 'cloned'),
      '×',
      {
        atMost: 2,
      },
    ),
  ]
}
