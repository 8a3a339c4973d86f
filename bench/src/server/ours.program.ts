import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGateway } from '../../../packages/server/src/gateway/index.ts'
import type { ResourceSet, ToolSet } from '../../../packages/server/src/gateway/index.ts'
import { createAdmission, createEndpoint, createTokenCheck } from '../../../packages/server/src/http/index.ts'

/** Our endpoint with two tools, token and guard on. Arguments: stream after … ms, keep alive every … ms. */
const [streamAfterMs = 10_000, keepAliveMs = 15_000] = process.argv.slice(2).map(Number)
const token = 'bench-token-of-thirty-two-chars--'

const tools: ToolSet = {
  list: () => ['add', 'wait'].map((name) => ({ name, description: 'A bench tool', inputSchema: { type: 'object' } })),
  call: async (name, args, { signal }) => {
    if (name === 'wait') await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return { content: [{ type: 'text', text: String(Number(args.a) + Number(args.b)) }] }
  },
}

const resources: ResourceSet = {
  list: () => [],
  templates: () => [],
  read: () => Promise.reject(new Error('none')),
}

const endpoint = createEndpoint({
  gateway: createGateway({
    identity: { serverInfo: { name: 'bench', title: 'Bench', version: '1.0.0' }, instructions: 'Bench' },
    tools,
    resources,
  }),
  admit: createAdmission({ checkToken: createTokenCheck(token), fence: () => undefined, publicOrigins: [] }),
  maxBodyBytes: 8 * 1024 * 1024,
  timing: { streamAfterMs, keepAliveMs },
})

const server = createServer((request, response) => void endpoint.handle(request, response))
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, token })
})

process.on('message', (question) => {
  if (question !== 'memory') return
  // What a collection finds dead only by running finalizers needs a second one.
  globalThis.gc?.()
  setTimeout(() => {
    globalThis.gc?.()
    const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage()
    process.send?.({ used: heapUsed + external + arrayBuffers, rss })
  }, 200)
})
