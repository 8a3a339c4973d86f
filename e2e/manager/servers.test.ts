import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import {
  everythingStdio,
  eventually,
  modelRequests,
  privateCaFile,
  privateCertificate,
  processesWith,
  runHeadless,
  startEverything,
  startOddHttp,
  startWebHost,
  temporaryHome,
} from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'

const task = ['call mcp__local__echo {"message":"over stdio"}', 'call mcp__remote__get-sum {"a":20,"b":22}'].join('\n')

/** Configures the two samples, and whatever else; `mark` makes the processes of this test known. */
async function configure(home: string, remote: string, mark: string, others: readonly object[] = []): Promise<void> {
  const servers = [
    { name: 'local', type: 'stdio', ...everythingStdio(), env: { DSH_MCP_TEST_MARK: mark } },
    { name: 'remote', type: 'http', url: remote, authMode: 'none' },
    ...others,
  ]
  await writeFile(join(home, 'mcp-manager.json'), JSON.stringify({ servers }))
}

test('a headless agent has the tools in its first request and calls them', async () => {
  await using home = await temporaryHome()
  await using peer = await startEverything()
  const mark = `headless-${process.pid}-${Date.now()}`
  await configure(home.path, peer.url, mark)
  const run = await runHeadless({ home: home.path, plugins: ['manager'], task })
  expect(run.code, run.stderr).toBe(0)
  expect(run.stdout).toContain('Echo: over stdio')
  expect(run.stdout).toContain('The sum of 20 and 22 is 42')
  const [first] = await modelRequests(home.path)
  expect(first?.tools).toEqual(expect.arrayContaining(['mcp__local__echo', 'mcp__remote__get-sum']))
  expect(await processesWith(mark)).toEqual([])
})

test('a server behind a company’s own authority is reached once the harness is told of the authority', async () => {
  await using home = await temporaryHome()
  await using peer = await startOddHttp(undefined, privateCertificate())
  await writeFile(
    join(home.path, 'mcp-manager.json'),
    JSON.stringify({ servers: [{ name: 'company', type: 'http', url: peer.url, authMode: 'none' }] }),
  )
  const run = await runHeadless({
    home: home.path,
    plugins: ['manager'],
    task: 'call mcp__company__echo {"text":"over TLS"}',
    env: { NODE_EXTRA_CA_CERTS: privateCaFile },
  })
  expect(run.code, run.stderr).toBe(0)
  expect(run.stdout).toContain('over TLS')
})

test('dead and silent servers neither delay nor stop the host, and unloading leaves no process', async () => {
  await using home = await temporaryHome()
  await using peer = await startEverything()
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const mark = `web-${process.pid}-${Date.now()}`
  try {
    await configure(home.path, peer.url, mark, [
      { name: 'dead', type: 'http', url: 'http://127.0.0.1:1/mcp', authMode: 'none' },
      { name: 'missing', type: 'stdio', command: 'no-such-program-xyz' },
      { name: 'mute', type: 'http', url: `http://127.0.0.1:${port}/mcp`, authMode: 'none' },
      {
        name: 'silent',
        type: 'stdio',
        command: process.execPath,
        args: ['-e', 'setInterval(() => {}, 1e6)'],
        env: { DSH_MCP_TEST_MARK: mark },
      },
    ])
    await using host = await startWebHost({ home: home.path, plugins: ['manager'] })
    const { sessionId } = await host.api<{ sessionId: string }>('session.create', { cwd: home.path })
    await host.api('session.prompt', { sessionId, mode: 'queue', content: [{ type: 'text', text: task }] })
    await eventually('the agent has called both tools', async () => {
      const history = JSON.stringify(await host.api('session.history', { sessionId, maxMessages: 100 }))
      return history.includes('Echo: over stdio') && history.includes('The sum of 20 and 22 is 42')
    })
    expect(await processesWith(mark)).toHaveLength(2)
    const exit = await host.stop()
    expect(exit.code).toBe(0)
    expect(await processesWith(mark)).toEqual([])
  } finally {
    silent.close()
  }
})

test('no server is left when the host is killed hard', async () => {
  await using home = await temporaryHome()
  const mark = `killed-${process.pid}-${Date.now()}`
  // Ignores both the end of its input and SIGTERM, and has a child of its own.
  const stubborn =
    'process.on("SIGTERM",()=>{});require("node:child_process").spawn(process.execPath,["-e","process.on(\'SIGTERM\',()=>{});setInterval(()=>{},1e6)"],{stdio:"inherit"});setInterval(()=>{},1e6)'
  const servers = [
    {
      name: 'stubborn',
      type: 'stdio',
      command: process.execPath,
      args: ['-e', stubborn],
      env: { DSH_MCP_TEST_MARK: mark },
    },
  ]
  await writeFile(join(home.path, 'mcp-manager.json'), JSON.stringify({ servers }))
  await using host = await startWebHost({ home: home.path, plugins: ['manager'] })
  await eventually('both processes run', async () => (await processesWith(mark)).length === 2)
  await host.kill()
  await eventually('both processes are gone', async () => (await processesWith(mark)).length === 0)
})
