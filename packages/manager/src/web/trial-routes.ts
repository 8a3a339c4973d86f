import { newServerId, type StateServerRecord } from '../config/index.ts'
import type { ConnectionStatus } from '../connections/index.ts'
import type { TestReply } from './api-types.ts'
import { ApiError } from './errors.ts'
import type { ApiParts } from './parts.ts'
import type { Call, Route } from './router.ts'
import { newRecord, replacedRecord } from './server-fields.ts'
import { anyDefinition, attemptEnded, bounded, checkRecord } from './server-routes.ts'

/** The longest trial, in milliseconds. */
const trialLimit = 45_000

/** The record to try: new, or what a change of a stored server (`id`) would give, masked values filled in. */
async function recordOf(parts: ApiParts, body: Call['body'], id: string): Promise<StateServerRecord> {
  const known = body['id']
  if (typeof known !== 'string' || known === '') return { name: 'trial', ...newRecord(body), id }
  const definition = await anyDefinition(parts, known)
  const { raw } = definition
  return { ...replacedRecord({ ...raw, name: definition.name }, body), id: known }
}

function reasonOf(status: ConnectionStatus, toolCount: number): string {
  if (status.state === 'connected')
    return `connected (${status.transport}, ${status.protocolVersion}), ${toolCount} tools`
  if ('reason' in status) return status.reason
  return status.state === 'connecting' ? `no answer within ${trialLimit / 1000} s` : status.state
}

async function test(parts: ApiParts, { body, signal }: Call): Promise<TestReply> {
  const record = await recordOf(parts, body, newServerId())
  const definition = await checkRecord({ ...record, enabled: true }, String(record['id']))
  const started = performance.now()
  const trial = parts.tryConnect(definition)
  try {
    await bounded(attemptEnded(trial.connection), signal, trialLimit)
    if (signal.aborted) throw new ApiError(499, 'the caller went away')
    const { status, tools } = trial.connection
    return {
      ok: status.state === 'connected',
      status: status.state,
      reason: reasonOf(status, tools.length),
      toolCount: tools.length,
      tools: tools.map((tool) => tool.name),
      durationMs: Math.round(performance.now() - started),
      logs: trial.entries(),
    }
  } finally {
    await trial.close()
  }
}

/** Trying out a definition without storing anything. */
export const trialRoutes = (parts: ApiParts): readonly Route[] => [
  { method: 'POST', path: '/api/servers/test', body: true, handle: (call) => test(parts, call) },
]
