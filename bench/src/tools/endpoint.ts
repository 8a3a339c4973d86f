import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The result of a tool call over plain HTTP, without a client library in between. */
export interface Endpoint {
  call<Result>(tool: string, args: object): Promise<Result>
}

interface Reply {
  readonly result?: { readonly isError?: boolean; readonly structuredContent: unknown; readonly content: unknown }
}

export async function endpointOf(home: string): Promise<Endpoint> {
  const record = JSON.parse(await readFile(join(home, 'mcp', 'dsh-mcp-endpoint.json'), 'utf8')) as {
    readonly url: string
    readonly token: string
  }
  const headers = { authorization: `Bearer ${record.token}`, 'content-type': 'application/json' }
  return {
    async call<Result>(tool: string, args: object) {
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: tool, arguments: args },
      })
      const response = await fetch(record.url, { method: 'POST', headers, body })
      const { result } = (await response.json()) as Reply
      if (result === undefined || result.isError === true) throw new Error(`${tool}: ${JSON.stringify(result)}`)
      return result.structuredContent as Result
    },
  }
}
