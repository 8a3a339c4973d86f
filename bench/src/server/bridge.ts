import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { repositoryRoot } from '@dsh-mcp/testkit'
import { alternate, contextRow, goalRow, median, timed } from '../../harness/index.ts'
import type { Row } from '../../harness/index.ts'
import { load } from './http-load.ts'
import { startProgram } from './programs.ts'
import type { Program } from './programs.ts'
import { callMessage, callRequest } from './requests.ts'
import { startStdioPeer } from './stdio-load.ts'
import type { StdioPeer } from './stdio-load.ts'

const roundMs = 1_500
/** What `dsh-mcp-stdio` of the published package is. */
const bridgeProgram = join(repositoryRoot, 'packages/server/lib/bridge/dsh-mcp-stdio.mjs')
const mcpRemoteProgram = join(createRequire(import.meta.url).resolve('mcp-remote/package.json'), '../dist/proxy.js')

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } },
})

const startBridge = ({ url, token }: Program): StdioPeer =>
  startStdioPeer([bridgeProgram, '--url', url], { DSH_MCP_TOKEN: token })

const startMcpRemote = ({ url, token }: Program): StdioPeer =>
  startStdioPeer([mcpRemoteProgram, url, '--allow-http', '--header', `Authorization: Bearer ${token}`])

/** From the start of the process to the answer of `initialize`. */
async function firstAnswer(start: () => StdioPeer): Promise<number> {
  let peer: StdioPeer | undefined
  try {
    return await timed(async () => {
      peer = start()
      await peer.ask(initialize, 'init')
    })
  } finally {
    await peer?.[Symbol.asyncDispose]()
  }
}

async function emptyProcess(): Promise<number> {
  return timed(async () => {
    await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')
  })
}

/** The stdio bridge: what it adds to a call, what it carries, how fast it starts; beside mcp-remote on the same endpoint. */
export async function bridge(progress: (text: string) => void): Promise<readonly Row[]> {
  await using ours = await startProgram('ours')
  await using own = startBridge(ours)
  await using remote = startMcpRemote(ours)
  await own.ask(initialize, 'init')
  await remote.ask(initialize, 'init')
  const line = (id: number): string => callMessage('legacy', id)
  const request = callRequest('legacy', ours.url, ours.token)

  progress('bridge, one at a time')
  const single = await alternate({
    direct: async () => (await load(ours.url, request, 1, roundMs)).p50,
    bridge: async () => (await own.load(line, 1, roundMs)).p50,
    remote: async () => (await remote.load(line, 1, roundMs)).p50,
  })
  const added = median(single.samples.bridge.map((value, round) => value - single.samples.direct[round]!))

  progress('bridge, sixteen at once')
  const many = await alternate({
    bridge: async () => (await own.load(line, 16, roundMs)).perSecond,
    remote: async () => (await remote.load(line, 16, roundMs)).perSecond,
  })

  progress('bridge, first answer')
  const start = await alternate({
    node: emptyProcess,
    bridge: () => firstAnswer(() => startBridge(ours)),
    remote: () => firstAnswer(() => startMcpRemote(ours)),
  })

  return [
    goalRow('bridge adds to p50, one at a time', added, 'ms', { atMost: 0.5 }),
    contextRow('p50 direct', single.median('direct'), 'ms'),
    contextRow('p50 over the bridge', single.median('bridge'), 'ms'),
    contextRow('p50 over mcp-remote', single.median('remote'), 'ms'),
    goalRow('bridge carries / mcp-remote, 16 at once', many.ratio('bridge', 'remote'), '×', { atLeast: 4 }),
    contextRow('bridge carries, 16 at once', many.median('bridge'), 'per s', 'higher'),
    contextRow('mcp-remote carries, 16 at once', many.median('remote'), 'per s', 'higher'),
    goalRow('bridge first answer / `node -e 0`', start.ratio('bridge', 'node'), '×', { atMost: 2 }),
    goalRow('bridge first answer / mcp-remote', start.ratio('bridge', 'remote'), '×', { atMost: 0.333 }),
    contextRow('first answer of the bridge', start.median('bridge'), 'ms'),
    contextRow('first answer of mcp-remote', start.median('remote'), 'ms'),
    contextRow('`node -e 0`', start.median('node'), 'ms'),
  ]
}
