import { loadServerParser } from '../../../packages/manager/src/config/index.ts'
import type { ServerDefinition } from '../../../packages/manager/src/config/index.ts'
import { createConnections, noAuthorization } from '../../../packages/manager/src/connections/index.ts'
import type { ServerConnections } from '../../../packages/manager/src/connections/index.ts'
import { createAttemptLogs } from '../../../packages/manager/src/diagnostics/index.ts'

const parse = await loadServerParser()

/** A server definition from the fields of a record. */
export function define(name: string, record: Readonly<Record<string, unknown>>): ServerDefinition {
  const parsed = parse(record, { id: name, name, source: { kind: 'global' } })
  if (!parsed.ok) throw new Error(parsed.problem)
  return parsed.server
}

/** An empty set of connections, with the product's settings. */
export function openConnections(): ServerConnections {
  return createConnections({
    logs: createAttemptLogs(),
    environment: process.env,
    authorize: () => noAuthorization,
    toolCallTimeoutMs: 60_000,
  })
}
