import type { BearerChallenge } from './challenge.ts'
import { discoverResource } from './discovery.ts'
import type { ServerFlow } from './flow.ts'
import type { FlowRecord } from './record.ts'

/** Whether the server still names the authorization server that a login is from (RFC 9728 §3.3, authorization_servers). */
export async function issuerStillNamed(
  flow: ServerFlow,
  record: FlowRecord,
  challenge: BearerChallenge,
): Promise<boolean> {
  if (record.resourceMetadataUrl === undefined && challenge.resourceMetadata === undefined) return true
  try {
    const context = { http: await flow.http(), log: flow.log }
    const { url: serverUrl } = flow.endpoint
    const found = await discoverResource(context, {
      serverUrl,
      challenge,
      knownMetadataUrl: record.resourceMetadataUrl,
    })
    const issuers = found?.value.authorizationServers ?? []
    return (
      issuers.length === 0 || record.authorizationServer === undefined || issuers.includes(record.authorizationServer)
    )
  } catch {
    // The document is a check, not a need: when it cannot be read the refresh goes on; the failure is in the log.
    return true
  }
}
