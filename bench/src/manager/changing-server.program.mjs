import { createInterface } from 'node:readline'

/**
 * A stdio MCP server with `count` tools of about 500 bytes. `tools/call` answers `ok`; calling `tool_0` also changes the
 * description of one tool and says so.
 */
const count = Number(process.argv[2] ?? 1000)
const properties = Object.fromEntries(
  Array.from({ length: 6 }, (_, index) => [`argument_${index}`, { type: 'string', description: 'What it is about' }]),
)
const tools = Array.from({ length: count }, (_, index) => ({
  name: `tool_${index}`,
  description: `Does the work number ${index}`,
  inputSchema: { type: 'object', properties, required: ['argument_0'] },
}))
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
let changes = 0

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'initialize') {
    const capabilities = { tools: { listChanged: true } }
    const serverInfo = { name: 'changing', version: '1.0.0' }
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo } })
  } else if (method === 'tools/list') send({ id, result: { tools } })
  else if (method === 'tools/call') {
    send({ id, result: { content: [{ type: 'text', text: 'ok' }] } })
    if (params.name !== 'tool_0') return
    changes++
    tools[count - 1] = { ...tools[count - 1], description: `Changed ${changes} times` }
    send({ method: 'notifications/tools/list_changed' })
  } else send({ id, error: { code: -32601, message: 'no such method' } })
})
