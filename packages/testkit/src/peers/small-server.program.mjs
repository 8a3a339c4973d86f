// A small MCP server over stdio that starts fast: `small-server <name> [tools]`. Its tools `tool_1` … answer with its name,
// its process id and its directory. Each start is noted in the file named by SMALL_SERVER_LOG.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [name = 'small', count = '1'] = process.argv.slice(2)
if (process.env.SMALL_SERVER_LOG) appendFileSync(process.env.SMALL_SERVER_LOG, `${name} ${process.pid}\n`)

const tools = Array.from({ length: Number(count) }, (_, index) => ({
  name: `tool_${index + 1}`,
  description: `Tool ${index + 1} of ${name}`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
}))

const methods = {
  initialize: (params) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name, version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': (params) => ({
    content: [{ type: 'text', text: `${params.name} of ${name}, pid ${process.pid}, in ${process.cwd()}` }],
  }),
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = methods[method]
  const reply = answer
    ? { result: answer(params ?? {}) }
    : { error: { code: -32601, message: `method not found: ${method}` } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`)
}
