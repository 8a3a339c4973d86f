import type { PriorDiscovery } from '@modelcontextprotocol/client'
import type { StdioServer } from '../../config/index.ts'
import type { AttemptLog } from '../../diagnostics/index.ts'
import { loadEngine } from '../engine.ts'
import { describeFailure } from '../failures.ts'
import { openClient } from '../open-client.ts'
import type { SessionEnvironment } from '../open-session.ts'
import { resolveStdio } from '../resolve-server.ts'
import type { ResolvedStdio } from '../resolve-server.ts'
import { createSession } from '../session.ts'
import type { Session } from '../session.ts'
import { StdioTransport } from './stdio-transport.ts'

/** Limit of the second probe of a server that did not answer the first in time. */
const patientProbeMs = 30_000

interface Attempt {
  readonly prior: PriorDiscovery | undefined
  readonly priorReason?: string
  readonly probeMs?: number
}

function scrubbedHint(scrubbed: readonly string[]): string {
  if (scrubbed.length === 0) return ''
  return `; not passed on: ${scrubbed.join(', ')} (a server that needs one gets it by its "env")`
}

function commandText(resolved: ResolvedStdio): string {
  return [resolved.command, ...resolved.args]
    .map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(' ')
}

/** Starts a stdio server and connects to it. A server that leaves at the era probe is started once more without it. */
export async function openStdio(
  server: StdioServer,
  log: AttemptLog,
  shared: SessionEnvironment,
  signal: AbortSignal,
): Promise<Session> {
  const resolved = resolveStdio(server, shared.environment, log)
  log.record({
    phase: 'stdio-spawn',
    detail: `${commandText(resolved)} in ${resolved.cwd}${scrubbedHint(resolved.scrubbed)}`,
  })

  async function attempt({ prior, priorReason, probeMs }: Attempt): Promise<Session> {
    const wire = new StdioTransport({ ...resolved, frameLimit: shared.frameLimit, log, guard: shared.guard })
    try {
      const opened = await openClient({
        wire,
        prior,
        ...(priorReason !== undefined && { priorReason }),
        ...(probeMs !== undefined && { probeMs }),
        version: shared.version,
        signal,
        configure: shared.configure,
      })
      const { client, tap, reason } = opened
      const session = createSession({
        client,
        wire,
        tap,
        transport: 'stdio',
        reason,
        ending: () => (wire.exit === undefined ? undefined : `the process ${wire.exit}`),
      })
      const detail = `${session.protocolVersion} (${session.era}: ${reason})${wire.noise === undefined ? '' : `; ${wire.noise}`}`
      log.record({ phase: 'initialize', detail })
      shared.eras.keep(server, { transport: 'stdio', prior: opened.prior })
      return session
    } catch (error) {
      if (signal.aborted) throw error
      const exit = wire.exit
      if (exit !== undefined && prior === undefined) {
        log.record({
          phase: 'initialize',
          detail: 'the process left at the server/discover probe; starting it without',
        })
        return attempt({ prior: { kind: 'legacy' }, priorReason: 'left at the server/discover probe' })
      }
      const { ProtocolError } = await loadEngine()
      if (error instanceof ProtocolError && prior === undefined && probeMs === undefined) {
        // Silent at the probe, then no `initialize`: a server of the newer era that was still starting.
        log.record({
          phase: 'initialize',
          detail: `initialize refused (${error.message}); probing again with more time`,
        })
        return attempt({ prior, probeMs: patientProbeMs })
      }
      const what = exit === undefined ? describeFailure(error) : `the process ${exit}`
      log.record({ phase: 'initialize', detail: `${what}${wire.noise === undefined ? '' : `; ${wire.noise}`}` })
      throw exit === undefined ? error : new Error(what, { cause: error })
    }
  }

  const verdict = shared.eras.recall(server)
  return attempt({ prior: verdict?.transport === 'stdio' ? verdict.prior : undefined })
}
