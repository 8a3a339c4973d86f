import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  configPatch,
  eventually,
  everythingStdio,
  freePort,
  nodeBinary,
  peerEntry,
  processesWith,
  repositoryRoot,
  runHeadless,
  startChild,
  startEverything,
  temporaryHome,
} from '@dsh-mcp/testkit'
import type { Child } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'

const loopbackOnly = pathToFileURL(join(repositoryRoot, 'packages/testkit/src/peers/loopback-only.program.mjs')).href
const program = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

interface Gateway extends AsyncDisposable {
  readonly port: number
}

/** Starts a gateway program on a loopback port. */
async function startGateway(
  entry: string,
  args: (port: number) => readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Gateway> {
  const port = await freePort()
  const child: Child = startChild(nodeBinary, ['--import', loopbackOnly, entry, ...args(port)], { env })
  await eventually(`${entry} listens`, async () => {
    const response = await fetch(`http://127.0.0.1:${port}/no-such-path`)
    await response.body?.cancel()
    return true
  })
  return { port, [Symbol.asyncDispose]: async () => void (await child.stop(3_000)) }
}

test('an agent of the real host uses the tools of real peers, whatever they speak', async () => {
  await using home = await temporaryHome()
  const mark = `peers-${process.pid}-${Date.now()}`
  const env = { PATH: process.env.PATH, DSH_MCP_TEST_MARK: mark }
  const everything = everythingStdio()
  await using streamable = await startEverything()
  await using sse = await startEverything('sse')
  await using proxy = await startGateway(
    peerEntry('mcp-proxy', 'dist/bin/mcp-proxy.mjs'),
    (port) => ['--host', '127.0.0.1', '--port', String(port), '--', everything.command, ...everything.args],
    env,
  )
  await using supergateway = await startGateway(
    peerEntry('supergateway', 'dist/index.js'),
    (port) => [
      '--stdio',
      `"${everything.command}" "${everything.args[0]}" stdio`,
      '--outputTransport',
      'streamableHttp',
      '--port',
      String(port),
      '--logLevel',
      'none',
    ],
    env,
  )
  await writeFile(join(home.path, 'note.txt'), '世界 – ok\n')

  const peer = (name: string, entry: string, args: readonly string[] = []) => ({
    type: 'stdio',
    command: nodeBinary,
    args: [peerEntry(name, entry), ...args],
    env: { DSH_MCP_TEST_MARK: mark, MEMORY_FILE_PATH: join(home.path, 'memory.jsonl') },
  })
  const remote = (url: string) => ({ type: 'http', url, authMode: 'none' })
  const servers = {
    everything: { type: 'stdio', ...everything, env: { DSH_MCP_TEST_MARK: mark } },
    filesystem: peer('@modelcontextprotocol/server-filesystem', 'dist/index.js', [home.path]),
    memory: peer('@modelcontextprotocol/server-memory', 'dist/index.js'),
    thinking: peer('@modelcontextprotocol/server-sequential-thinking', 'dist/index.js'),
    sdk1: { type: 'stdio', command: nodeBinary, args: [program('sdk-1.program.ts')], env: { DSH_MCP_TEST_MARK: mark } },
    sdk2: { type: 'stdio', command: nodeBinary, args: [program('sdk-2.program.ts')], env: { DSH_MCP_TEST_MARK: mark } },
    streamable: remote(streamable.url),
    sse: remote(sse.url),
    proxy: remote(`http://127.0.0.1:${proxy.port}/mcp`),
    gateway: remote(`http://127.0.0.1:${supergateway.port}/mcp`),
  }
  const state = Object.entries(servers).map(([name, server]) => ({ name, ...server }))
  await writeFile(join(home.path, 'mcp-manager.json'), JSON.stringify({ servers: state }))

  const entity = { entities: [{ name: 'DSH', entityType: 'harness', observations: ['speaks MCP'] }] }
  const thought = { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }
  const calls: readonly (readonly [string, object, string])[] = [
    ['mcp__everything__echo', { message: 'e1' }, 'Echo: e1'],
    ['mcp__filesystem__read_text_file', { path: join(home.path, 'note.txt') }, '世界 – ok'],
    ['mcp__memory__create_entities', entity, 'speaks MCP'],
    ['mcp__thinking__sequentialthinking', thought, 'thoughtHistoryLength'],
    ['mcp__sdk1__greet', {}, 'hello from 1.x'],
    ['mcp__sdk2__greet', {}, 'hello from 2.x'],
    ['mcp__streamable__echo', { message: 'e2' }, 'Echo: e2'],
    ['mcp__sse__echo', { message: 'e3' }, 'Echo: e3'],
    ['mcp__proxy__echo', { message: 'e4' }, 'Echo: e4'],
    ['mcp__gateway__echo', { message: 'e5' }, 'Echo: e5'],
  ]
  const run = await runHeadless({
    home: home.path,
    plugins: ['manager'],
    patches: [configPatch('mcp-manager', { firstConnectWaitMs: 60_000 })],
    task: calls.map(([tool, args]) => `call ${tool} ${JSON.stringify(args)}`).join('\n'),
  })
  expect(run.code, run.stderr).toBe(0)
  for (const [tool, , answer] of calls) expect(run.stdout, tool).toContain(answer)
  // Only the gateways' own children are left.
  await proxy[Symbol.asyncDispose]()
  await supergateway[Symbol.asyncDispose]()
  await eventually('no process of a server is left', async () => (await processesWith(mark)).length === 0)
}, 180_000)
