import { metaKey } from './era.ts'
import { ProtocolError } from './errors.ts'
import type { Exchange } from './exchange.ts'
import type { Identity } from './identity.ts'
import type { InputRequired } from './input-required.ts'
import { isJsonObject } from './json.ts'
import type { JsonObject } from './json.ts'
import type { Method } from './method.ts'

/**
 * Dresses a result for 2026-07-28: `resultType`, the caching hints of cacheable methods, and who answered in `_meta`
 * (Base protocol, Results; Caching). A result that asks for input is checked against what the client can give.
 */
export function presentModernResult(
  result: JsonObject,
  method: Method,
  exchange: Exchange,
  { serverInfo }: Identity,
): JsonObject {
  const _meta = { ...(isJsonObject(result._meta) && result._meta), [metaKey.serverInfo]: { ...serverInfo } }
  if (method.mayRequireInput === true && result.resultType === 'input_required') {
    checkInputRequired(result as unknown as InputRequired, exchange.clientCapabilities)
    return { ...result, _meta }
  }
  const complete = { resultType: 'complete', ...result, _meta }
  return method.ttlMs === undefined ? complete : { ...complete, ttlMs: method.ttlMs, cacheScope: 'private' }
}

const capabilityOf = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
} as const

function checkInputRequired(result: InputRequired, declared: JsonObject): void {
  const requests = Object.values(result.inputRequests ?? {})
  if (requests.length === 0 && result.requestState === undefined) {
    throw new TypeError('an input_required result needs inputRequests or requestState')
  }
  const missing = requests.map((request) => capabilityOf[request.method]).filter((name) => declared[name] === undefined)
  if (missing.length === 0) return
  const requiredCapabilities = Object.fromEntries(missing.map((name) => [name, {}]))
  throw new ProtocolError('missing-client-capability', `The client has not declared: ${missing.join(', ')}`, {
    data: { requiredCapabilities },
  })
}
