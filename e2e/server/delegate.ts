import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Transport } from '@modelcontextprotocol/client'

export type Fields = Readonly<Record<string, unknown>>

/** The members of structured contents that stories follow from one call to the next; each tool has some of them. */
export interface ToolAnswer {
  readonly [member: string]: unknown
  readonly sessionId: string
  readonly messageId: string
  readonly afterSeq: number
  readonly lastSeq: number
  readonly nextAfterSeq: number
  readonly prevBeforeSeq: number
  readonly nextCursor: string | null
  readonly state: string
  readonly reason: string
  readonly reply: { readonly text: string; readonly seq: number } | null
  readonly items: readonly {
    readonly seq: number
    readonly type: string
    readonly text?: string
    readonly source?: string
    readonly turn?: number
    readonly tool?: { readonly callId: string; readonly name: string; readonly arguments?: string }
  }[]
  readonly interactions: readonly {
    readonly interactionId: string
    readonly sessionId: string
    readonly kind: string
    readonly question?: {
      readonly questions: readonly {
        readonly questionId: string
        readonly options: readonly { readonly label: string }[]
      }[]
    }
  }[]
  readonly sessions: readonly { readonly sessionId: string; readonly state: string }[]
}

interface PublishedEndpoint {
  readonly url: string
  readonly token: string
}

/** The error of a refused call, as its `_meta` tells it, with the text block that the model reads. */
export class Refusal extends Error {
  readonly code: string
  constructor(code: string, text: string) {
    super(text)
    this.code = code
  }
}

export interface Delegate extends AsyncDisposable {
  readonly client: Client
  /** Structured content of a successful call. Rejects with a `Refusal` for a tool error. */
  call(tool: string, args?: Fields): Promise<ToolAnswer>
  /** The text block of a call, successful or not. */
  text(tool: string, args?: Fields): Promise<string>
  /** Code and text of a call that must be refused. */
  refused(tool: string, args?: Fields): Promise<Refusal>
}

export async function endpointOf(home: string): Promise<PublishedEndpoint> {
  return JSON.parse(await readFile(join(home, 'mcp', 'dsh-mcp-endpoint.json'), 'utf8')) as PublishedEndpoint
}

/** A call as one POST, for what the official client does not show. */
export function postOf(token: string, tool: string, args: Fields) {
  return {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } }),
  }
}

/** The official client over HTTP, with the address and token of the endpoint file. */
export async function delegateTo(home: string, name = 'e2e'): Promise<Delegate> {
  const { url, token } = await endpointOf(home)
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}`, 'x-dsh-mcp-client': name } },
  })
  return delegateOver(transport, name)
}

/** The official client over any transport. */
export async function delegateOver(transport: Transport, name = 'e2e'): Promise<Delegate> {
  const client = new Client({ name, version: '1.0.0' })
  await client.connect(transport)
  // The client checks results against output schemas only of tools it has listed.
  await client.listTools()

  async function run(tool: string, args: Fields) {
    const result = await client.callTool({ name: tool, arguments: { ...args } }, { timeout: 120_000 })
    const [block] = result.content as readonly { readonly type: string; readonly text?: string }[]
    return { result, text: block?.text ?? '' }
  }

  async function refusalOf(tool: string, args: Fields): Promise<Refusal | undefined> {
    const { result, text } = await run(tool, args)
    if (result.isError !== true) return undefined
    const error = result._meta?.['dsh-mcp/error'] as { readonly code?: string } | undefined
    return new Refusal(error?.code ?? 'none', text)
  }

  return {
    client,
    async call(tool, args = {}) {
      const { result, text } = await run(tool, args)
      if (result.isError === true) {
        const error = result._meta?.['dsh-mcp/error'] as { readonly code?: string } | undefined
        throw new Refusal(error?.code ?? 'none', text)
      }
      return result.structuredContent as never
    },
    text: async (tool, args = {}) => (await run(tool, args)).text,
    async refused(tool, args = {}) {
      const refusal = await refusalOf(tool, args)
      if (refusal === undefined) throw new Error(`${tool} was not refused`)
      return refusal
    },
    async [Symbol.asyncDispose]() {
      await client.close()
    },
  }
}
