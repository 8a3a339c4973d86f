import type { ServerDefinition } from '../config/index.ts'
import type { AttemptLog } from '../diagnostics/index.ts'
import type { Authorization } from './authorization.ts'
import type { EraMemory } from './era-memory.ts'
import type { HttpClient } from './http/http-client.ts'
import { openHttp } from './http/open-http.ts'
import type { ConfigureClient } from './open-client.ts'
import type { Session } from './session.ts'
import { openStdio } from './stdio/open-stdio.ts'
import type { OrphanGuard } from './stdio/orphan-guard.ts'

/** What the sessions of all servers share. */
export interface SessionEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly http: HttpClient
  readonly guard: OrphanGuard
  readonly eras: EraMemory
  readonly frameLimit: number
  readonly version: string
  readonly configure?: ConfigureClient | undefined
}

/** Connects to one server, by whatever transport and era it speaks. Leaves nothing behind when it fails. */
export function openSession(
  server: ServerDefinition,
  authorization: Authorization,
  log: AttemptLog,
  shared: SessionEnvironment,
  signal: AbortSignal,
): Promise<Session> {
  return server.type === 'stdio'
    ? openStdio(server, log, shared, signal)
    : openHttp(server, authorization, log, shared, signal)
}
