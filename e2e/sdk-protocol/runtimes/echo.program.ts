import { JsonRpcLineTransport } from '@dsh-mcp/sdk-protocol'

/** Answers each request with its params after as many turns of the event loop as they say, and tells of each one twice. */
const transport = new JsonRpcLineTransport(process.stdin, process.stdout)
transport.onRequest(async (_method, params) => {
  transport.notify('received', { n: params.n })
  for (let turn = 0; turn < Number(params.turns); turn++) await new Promise((resolve) => setImmediate(resolve))
  transport.notify('answering', { n: params.n })
  return params
})
transport.onEnd(() => void transport.flush().finally(() => process.exit(0)))
transport.start()
