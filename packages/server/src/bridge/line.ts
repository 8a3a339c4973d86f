/** What the bridge has to know of a line from the client to carry it. */
export interface Line {
  /** The line itself, sent on as it is. */
  readonly bytes: Buffer
  /** The id, which may be any JSON value; null where there is none. */
  readonly id: unknown
  /** Whether the client waits for an answer: to everything but notifications and responses. */
  readonly expectsAnswer: boolean
  readonly method: string | undefined
  /** The request that this line cancels. */
  readonly cancels: string | undefined
  /** Headers that mirror the body for clients of 2026-07-28; none for earlier ones. */
  readonly headers: Readonly<Record<string, string>>
  /** How the client names itself, where this line says so. */
  readonly clientName: string | undefined
}

const metaPrefix = 'io.modelcontextprotocol/'

/** Reads a line. Returns undefined when it is no JSON. */
export function readLine(bytes: Buffer): Line | undefined {
  let message: unknown
  try {
    message = JSON.parse(bytes.toString('utf8'))
  } catch {
    // The caller answers the parse error.
    return undefined
  }
  const { id = null, method, params, ...rest } = record(message)
  const { _meta, name, uri, requestId, clientInfo } = record(params)
  const meta = record(_meta)
  const text = typeof method === 'string' ? method : undefined
  const client = record(text === 'initialize' ? clientInfo : meta[`${metaPrefix}clientInfo`]).name
  return {
    bytes,
    id,
    expectsAnswer: text === undefined ? !('result' in rest || 'error' in rest) : 'id' in record(message),
    method: text,
    cancels: text === 'notifications/cancelled' && requestId !== undefined ? requestKey(requestId) : undefined,
    headers: mirrorHeaders(meta[`${metaPrefix}protocolVersion`], text, text === 'resources/read' ? uri : name),
    clientName: typeof client === 'string' ? headerText(client) : undefined,
  }
}

/** A name as a header can carry it: one line without controls, of a length nobody minds. */
function headerText(text: string): string | undefined {
  const clean = text
    .slice(0, 200)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
  return clean === '' ? undefined : clean
}

/** Tells `1` from `"1"`. */
export function requestKey(id: unknown): string {
  return JSON.stringify(id)
}

const namedMethods = new Set(['tools/call', 'prompts/get', 'resources/read'])

/** MCP 2026-07-28, Streamable HTTP, Request metadata. What no header can hold is left out; the endpoint says so. */
function mirrorHeaders(version: unknown, method: string | undefined, name: unknown): Record<string, string> {
  const headers: Record<string, string> = {}
  if (typeof version !== 'string' || method === undefined) return headers
  if (isToken(version)) headers['mcp-protocol-version'] = version
  if (isToken(method)) headers['mcp-method'] = method
  if (namedMethods.has(method) && typeof name === 'string') headers['mcp-name'] = encodeHeaderValue(name)
  return headers
}

function encodeHeaderValue(value: string): string {
  const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value)
  return plain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`
}

function isToken(value: string): boolean {
  return /^[\x21-\x7e]+$/.test(value)
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
