import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { startEverything } from './everything.ts'

test('the peer answers on loopback and on no other address', async () => {
  await using peer = await startEverything()
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  }
  const response = await fetch(peer.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(initialize),
  })
  expect(await response.text()).toContain('"serverInfo"')
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((address) => address !== undefined && !address.internal && address.family === 'IPv4')
  if (outside === undefined) return
  await expect(fetch(`http://${outside.address}:${peer.port}/mcp`)).rejects.toThrow('fetch failed')
})
