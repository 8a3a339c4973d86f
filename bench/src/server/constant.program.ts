import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Node's own HTTP server: reads the request and answers a constant of the size of our answers. What no handler can be faster than. */
const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '3' }] } })
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) }

const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, headers).end(answer))
})
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, token: 'none' })
})
