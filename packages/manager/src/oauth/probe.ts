import { bearerChallenge } from './challenge.ts'
import type { BearerChallenge } from './challenge.ts'
import type { Send } from './guarded-fetch.ts'
import type { ServerFlow } from './flow.ts'

/** What a server says to a request without a token. */
export interface ProbeResult {
  readonly challenge: BearerChallenge | undefined
  /** It took the request, or refused it for another reason than the missing login. */
  readonly answersWithoutLogin: boolean
}

const probeTimeoutMs = 15_000
const modernVersion = '2026-07-28'

/** A request that is valid in both protocol eras and leaves no session behind. */
const probeBody = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': modernVersion,
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
})

/**
 * Asks the MCP server itself, without a token, for its 401 challenge (MCP authorization, protected resource metadata
 * discovery). A server that cannot be reached gives no challenge; discovery goes on by the well-known URLs.
 */
export async function probeChallenge(flow: ServerFlow, send: Send): Promise<ProbeResult> {
  const { url, headers } = flow.endpoint
  try {
    const answer = await send(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': modernVersion,
        'mcp-method': 'tools/list',
      },
      body: probeBody,
      signal: AbortSignal.timeout(probeTimeoutMs),
      reach: 'as configured',
    })
    await answer.body?.cancel()
    flow.log.record({ phase: 'discovery', url, status: answer.status, detail: 'asked the server for its challenge' })
    const challenge =
      answer.status === 401 || answer.status === 403
        ? bearerChallenge(answer.headers.get('www-authenticate'))
        : undefined
    return { challenge, answersWithoutLogin: answer.status === 400 || (answer.status >= 200 && answer.status < 300) }
  } catch (error) {
    const detail = `asked the server for its challenge: ${error instanceof Error ? error.message : String(error)}`
    flow.log.record({ phase: 'discovery', url, detail })
    return { challenge: undefined, answersWithoutLogin: false }
  }
}
