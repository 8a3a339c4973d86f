import type { ServerDefinition } from '../config/index.ts'
import { noAuthorization, staticToken } from './authorization.ts'
import type { Authorization } from './authorization.ts'
import { createEraMemory } from './era-memory.ts'
import { createHttpClient } from './http/http-client.ts'
import type { ConfigureClient } from './open-client.ts'
import { openSession } from './open-session.ts'
import type { SessionEnvironment } from './open-session.ts'
import type { ConnectionSettings, ConnectionsEvent, ServerConnections } from './server-connections.ts'
import { createStartSlots } from './start-slots.ts'
import { createOrphanGuard } from './stdio/orphan-guard.ts'
import { Supervisor } from './supervisor.ts'

const defaultFrameLimit = 64 * 1024 * 1024
const defaultParallelStarts = 8

/** A set of connections, empty at first. `configure` is for drivers of test suites that answer what servers ask of clients. */
export function createConnections(settings: ConnectionSettings, configure?: ConfigureClient): ServerConnections {
  const { environment, logs } = settings
  const supervisors = new Map<string, Supervisor>()
  const stopping = new Set<Promise<void>>()
  const listeners = new Set<(event: ConnectionsEvent) => void>()
  const eras = createEraMemory()
  const slots = createStartSlots(settings.parallelStarts ?? defaultParallelStarts)
  const shared: SessionEnvironment = {
    environment,
    http: createHttpClient(environment),
    guard: createOrphanGuard(),
    eras,
    frameLimit: settings.frameLimit ?? defaultFrameLimit,
    version: settings.clientVersion ?? '0.0.0',
    configure,
  }
  let closed = false

  const tell = (event: ConnectionsEvent): void => {
    for (const listener of listeners) listener(event)
  }

  function authorizationOf(server: ServerDefinition): Authorization {
    if (server.type === 'stdio' || server.authMode === 'none') return noAuthorization
    if (server.authMode === 'oauth') return settings.authorize(server)
    logs.of(server.id).addSecret(server.staticToken)
    return staticToken({ tokenEnv: server.tokenEnv, staticToken: server.staticToken, environment })
  }

  function supervise(definition: ServerDefinition): Supervisor {
    const log = logs.of(definition.id)
    const supervisor = new Supervisor(definition, {
      log,
      toolCallTimeoutMs: settings.toolCallTimeoutMs,
      authorization: authorizationOf,
      onToolOk: () => settings.onToolOk?.(definition.id),
      forgetEra: (server) => eras.forget(server),
      async open(server, authorization, signal) {
        if (server.type === 'http') return openSession(server, authorization, log, shared, signal)
        const release = await slots.take(signal)
        return openSession(server, authorization, log, shared, signal).finally(release)
      },
    })
    supervisor.subscribe((event) => tell({ ...event, connection: supervisor }))
    return supervisor
  }

  return {
    start(definition) {
      if (closed) throw new Error('the connections are closed')
      let supervisor = supervisors.get(definition.id)
      if (supervisor === undefined) {
        supervisor = supervise(definition)
        supervisors.set(definition.id, supervisor)
        tell({ kind: 'servers' })
      } else {
        const renamed = supervisor.serverName !== definition.name
        supervisor.replace(definition)
        if (renamed) tell({ kind: 'servers' })
      }
      return supervisor
    },
    async stop(serverId) {
      const supervisor = supervisors.get(serverId)
      if (supervisor === undefined) return
      supervisors.delete(serverId)
      const stop = supervisor.stop()
      stopping.add(stop)
      tell({ kind: 'servers' })
      await stop.finally(() => stopping.delete(stop))
    },
    get: (serverId) => supervisors.get(serverId),
    list: () => [...supervisors.values()],
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async firstAttempts(limitMs, signal) {
      if (limitMs <= 0) return
      const all = Promise.all([...supervisors.values()].map((supervisor) => supervisor.firstAttempt))
      let timer: NodeJS.Timeout | undefined
      let abandon = (): void => undefined
      const limit = new Promise<void>((resolve) => {
        abandon = () => resolve()
        timer = setTimeout(abandon, limitMs)
        signal?.addEventListener('abort', abandon, { once: true })
      })
      await Promise.race([all, limit])
      clearTimeout(timer)
      signal?.removeEventListener('abort', abandon)
    },
    async close() {
      closed = true
      listeners.clear()
      await Promise.all([...supervisors.values()].map((supervisor) => supervisor.stop()))
      supervisors.clear()
      await Promise.all(stopping)
      shared.guard.close()
      await shared.http.close()
    },
  }
}
