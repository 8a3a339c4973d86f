import { errorCode } from './errors.ts'
import { isJsonObject } from './json.ts'
import type { JsonObject, JsonValue } from './json.ts'
import type { RequestHeaders } from './request-headers.ts'
import { isSupportedProtocolVersion, modernProtocolVersion, supportedProtocolVersions } from './versions.ts'

/**
 * How a message speaks: `legacy` is every revision that opens with `initialize` (2024-10-07 … 2025-11-25), where
 * connection state carries the version; `2026-07-28` is the revision in which every request describes itself.
 */
export type Era = 'legacy' | '2026-07-28'

/** Keys of `params._meta` (MCP 2026-07-28, Base protocol, `_meta`). */
export const metaKey = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const

/** Why a request is answered with an error before any method looks at it. */
export interface Refusal {
  readonly status: number
  readonly code: number
  readonly message: string
  readonly data?: JsonValue
}

export type EraChoice =
  | { readonly era: 'legacy'; readonly meta: JsonObject }
  | { readonly era: '2026-07-28'; readonly meta: JsonObject; readonly clientCapabilities: JsonObject }
  | { readonly era: 'refused'; readonly refusal: Refusal }

const noMeta: JsonObject = {}

/**
 * Chooses the era of one request (MCP 2026-07-28, Versioning, Backward compatibility). The version key in `_meta` makes it
 * modern. Without it, `initialize` is always legacy; any other request is legacy unless its `MCP-Protocol-Version` header
 * names a revision that has no handshake (malformed) or none that we know.
 *
 * `headers` is undefined where the transport has none.
 */
export function chooseEra(method: string, params: JsonObject, headers: RequestHeaders | undefined): EraChoice {
  const meta = isJsonObject(params._meta) ? params._meta : noMeta
  if (Object.hasOwn(meta, metaKey.protocolVersion)) return modernEra(meta, headers)
  const announced = headers?.get('mcp-protocol-version')
  if (method === 'initialize' || announced === undefined) return { era: 'legacy', meta }
  if (announced === modernProtocolVersion) {
    return refused(
      400,
      errorCode.invalidParams,
      `${modernProtocolVersion} requests carry ${metaKey.protocolVersion} in params._meta`,
    )
  }
  if (!isSupportedProtocolVersion(announced)) {
    const supported = supportedProtocolVersions.join(', ')
    return refused(400, errorCode.invalidRequest, `Unsupported MCP-Protocol-Version header; supported: ${supported}`)
  }
  return { era: 'legacy', meta }
}

function modernEra(meta: JsonObject, headers: RequestHeaders | undefined): EraChoice {
  const version = meta[metaKey.protocolVersion]
  if (typeof version !== 'string') {
    return refused(400, errorCode.invalidParams, `${metaKey.protocolVersion} must be a string`)
  }
  if (headers !== undefined) {
    const announced = headers.get('mcp-protocol-version')
    if (announced === undefined)
      return refused(400, errorCode.headerMismatch, 'The MCP-Protocol-Version header is missing')
    if (announced !== version) {
      return refused(
        400,
        errorCode.headerMismatch,
        `The MCP-Protocol-Version header differs from ${metaKey.protocolVersion}`,
      )
    }
  }
  if (version !== modernProtocolVersion) {
    const data = { supported: [modernProtocolVersion], requested: version }
    return refused(400, errorCode.unsupportedProtocolVersion, 'Unsupported protocol version', data)
  }
  const clientCapabilities = meta[metaKey.clientCapabilities]
  if (!isJsonObject(clientCapabilities)) {
    return refused(400, errorCode.invalidParams, `params._meta needs an object ${metaKey.clientCapabilities}`)
  }
  return { era: '2026-07-28', meta, clientCapabilities }
}

function refused(status: number, code: number, message: string, data?: JsonValue): EraChoice {
  return { era: 'refused', refusal: { status, code, message, ...(data !== undefined && { data }) } }
}
