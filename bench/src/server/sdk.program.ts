import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'

/** The official handler on node:http with the same tool, without token or guard. */
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'bench', version: '1.0.0' })
  server.registerTool('add', { description: 'A bench tool' }, () => ({ content: [{ type: 'text', text: '3' }] }))
  return server
})

const listener = toNodeHandler(handler)
const server = createServer((request, response) => void listener(request, response))
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, token: 'none' })
})
