export type Era = 'legacy' | '2026-07-28'

/** A `tools/call` of the trivial tool as the client of an era sends it. */
export function callMessage(era: Era, id: number | string, name = 'add'): string {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name, arguments: { a: 1, b: 2 }, ...(era === 'legacy' ? {} : { _meta }) }
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
}

/** The same as the bytes of an HTTP request. */
export function callRequest(era: Era, url: string, token: string, name = 'add'): Buffer {
  const { host, pathname } = new URL(url)
  const body = callMessage(era, 1, name)
  const modern = `MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: ${name}\r\n`
  const head =
    `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
    `Accept: application/json, text/event-stream\r\n${era === 'legacy' ? '' : modern}Content-Length: ${body.length}\r\n\r\n`
  return Buffer.from(head + body)
}
