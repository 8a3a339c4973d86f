import type { FlowSettings, ServerFlow } from './flow.ts'
import { revokeToken } from './grants.ts'
import { readRecord } from './record.ts'
import type { FlowRecord } from './record.ts'
import { clientOfTokens } from './registration.ts'

/** How a logout went. Whatever the provider answers, the tokens are gone from this machine. */
export interface LogOutOutcome {
  /** The provider confirmed the revocation (RFC 7009). */
  readonly revoked: boolean
  /** Why it did not, in words; absent when it did or when there was nothing to revoke. */
  readonly note?: string
}

async function revoke(flow: ServerFlow, settings: FlowSettings, record: FlowRecord): Promise<LogOutOutcome> {
  const refreshToken = record.tokens?.refresh_token
  const token = refreshToken === undefined || refreshToken === '' ? record.tokens?.access_token : refreshToken
  const client = clientOfTokens(flow.server, record)
  if (token === undefined || client === undefined) return { revoked: false }
  flow.log.addSecret(token)
  try {
    const issuer = await flow.issuerOf(record)
    if (issuer.revocation_endpoint === undefined) {
      return {
        revoked: false,
        note: `${issuer.issuer} has no revocation endpoint: end the access at the provider if needed`,
      }
    }
    const context = { http: await flow.http(), issuer, client, environment: settings.environment, resource: undefined }
    const status = await revokeToken(context, token, token === refreshToken ? 'refresh_token' : 'access_token')
    return status === 200
      ? { revoked: true }
      : { revoked: false, note: `the provider answered the revocation with HTTP ${status}` }
  } catch (error) {
    return { revoked: false, note: error instanceof Error ? error.message : String(error) }
  }
}

/** Removes tokens, registered client and everything discovered from the record; scopes set by hand stay. Then revokes. */
export async function endLogin(flow: ServerFlow, settings: FlowSettings): Promise<LogOutOutcome> {
  const record = await flow.store.update(async (stored) => {
    const kept = typeof stored.scope === 'string' ? { scope: stored.scope } : {}
    return { record: kept, result: readRecord(stored) }
  })
  const outcome = await revoke(flow, settings, record)
  flow.log.record({ phase: 'revoke', detail: outcome.note ?? (outcome.revoked ? 'revoked' : 'nothing to revoke') })
  return outcome
}
