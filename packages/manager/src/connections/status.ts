import type { ServerDefinition } from '../config/index.ts'
import type { Authorization } from './authorization.ts'
import type { ConnectionStatus } from './connection.ts'
import type { Listing, Session } from './session.ts'

const longestReason = 300

function shown(reason: string): string {
  return reason.length <= longestReason ? reason : `${reason.slice(0, longestReason - 1)}…`
}

/** The status of a server that is not to be tried at all; `undefined` for all others. */
export function untried(server: ServerDefinition, authorization: Authorization): ConnectionStatus | undefined {
  if (!server.enabled) return { state: 'disabled' }
  const missing = authorization.missing?.()
  return missing === undefined ? undefined : needsAuth(missing)
}

/** The status of a server that waits for a person. The reason is redacted already. */
export function needsAuth(reason: string, missingScope?: string): ConnectionStatus {
  return { state: 'needs-auth', reason: shown(reason), ...(missingScope !== undefined && { missingScope }) }
}

/** The status of a server that is tried again at `retryAt` (epoch milliseconds). The reason is redacted already. */
export function failed(reason: string, retryAt: number): ConnectionStatus {
  return { state: 'error', reason: shown(reason), retryAt }
}

/** The status of a server whose tools are listed. */
export function connected(session: Session, toolCount: number): ConnectionStatus {
  const { transport, era, protocolVersion, reason } = session
  return { state: 'connected', transport, era, protocolVersion, reason, toolCount, since: Date.now() }
}

/** A new connection in words, for the log. */
export function describeConnected(session: Session, listing: Listing): string {
  const { transport, era, protocolVersion, reason } = session
  const detail = `${listing.tools.length} tools over ${transport}, ${protocolVersion} (${era}: ${reason})`
  const aside = listing.quarantined.map(({ name, reason: why }) => `${name}: ${why}`).join('; ')
  return aside === '' ? detail : `${detail}; put aside: ${aside}`
}
