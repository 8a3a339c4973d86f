import { execFileSync } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, hostEnvironment, isAlive, nodeBinary, processesWith, startChild } from '@dsh-mcp/testkit'
import type { Fault } from '../fault.ts'
import { bridgeProgram, startBridge } from '../bridge.ts'
import { killHost } from '../kill-host.ts'
import { DataLost, servers, type Scene } from '../scene.ts'

const writer = new URL('../state-writer.program.ts', import.meta.url).pathname

async function stateOf(scene: Scene): Promise<{ servers: { name: string }[]; written?: Record<string, number> }> {
  return JSON.parse(await readFile(scene.statePath, 'utf8')) as Awaited<ReturnType<typeof stateOf>>
}

/** Adds servers through the page's API until told to stop; keeps the names whose addition was confirmed. */
function addServers(scene: Scene, prefix: string): { readonly confirmed: string[]; stop(): Promise<void> } {
  const confirmed: string[] = []
  const ended = new AbortController()
  const work = (async () => {
    for (let count = 0; !ended.signal.aborted; count++) {
      const name = `${prefix}${count}`
      const body = { name, type: 'stdio', command: 'no-such-program', enabled: false }
      const answer = await scene.api('POST', '/api/servers', { body }).catch(() => undefined)
      if (answer === undefined) return
      if (answer.status === 201) confirmed.push(name)
    }
  })()
  return {
    confirmed,
    async stop() {
      ended.abort()
      await work
    },
  }
}

async function removeServers(scene: Scene, prefix: string): Promise<void> {
  const { body } = await scene.api('GET', '/api/servers')
  for (const { id, name } of (body as { servers: { id: string; name: string }[] }).servers) {
    if (name.startsWith(prefix)) await scene.api('DELETE', `/api/servers/${id}`)
  }
}

function requireAll(names: readonly string[], found: readonly { readonly name: string }[]): void {
  const present = new Set(found.map(({ name }) => name))
  const lost = names.filter((name) => !present.has(name))
  if (lost.length > 0) throw new DataLost(`${lost.length} confirmed servers are gone: ${lost.slice(0, 3).join(', ')}`)
}

const whileWriting = (ms: number) => ({
  point: `while servers are added, after ${ms} ms`,
  async inject(scene: Scene) {
    const adding = addServers(scene, `k${ms}-`)
    await eventually('the first is in', () => adding.confirmed.length > 0)
    await sleep(ms)
    const killed = scene.host().kill()
    await adding.stop()
    await killed
    requireAll(adding.confirmed, (await stateOf(scene)).servers)
    await killHost(scene)
    const note = `${adding.confirmed.length} confirmed additions kept`
    await removeServers(scene, `k${ms}-`)
    return { note }
  },
})

const killedHost: Fault = {
  fault: 'kill -9 of the harness',
  points: [
    { point: 'at rest', long: true, inject: killHost },
    whileWriting(3),
    { ...whileWriting(40), long: true },
    { ...whileWriting(170), long: true },
    {
      point: 'during a tool call of a stdio server',
      long: true,
      async inject(scene) {
        const call = scene
          .api('POST', `/api/servers/${servers.local}/try`, { body: { tool: 'sleep', arguments: { ms: 60_000 } } })
          .catch(() => undefined)
        await sleep(200)
        await killHost(scene)
        await call
      },
    },
    {
      point: 'during its start',
      async inject(scene) {
        await scene.host().stop()
        const starting = scene.restart().catch(() => undefined)
        await sleep(700)
        await scene.killStarting()
        await starting
        await scene.restart()
      },
    },
  ],
}

const killedServer: Fault = {
  fault: 'kill -9 of a stdio server',
  points: [
    {
      point: 'at rest',
      async inject(scene) {
        for (const pid of await processesWith(scene.mark)) process.kill(pid, 'SIGKILL')
      },
    },
    {
      point: 'during a tool call',
      async inject(scene) {
        const call = scene.api('POST', `/api/servers/${servers.local}/try`, {
          body: { tool: 'sleep', arguments: { ms: 60_000 } },
        })
        await sleep(300)
        for (const pid of await processesWith(scene.mark)) process.kill(pid, 'SIGKILL')
        const { status, body } = await call
        const text = JSON.stringify(body)
        if (status === 200 && !text.includes('"isError":true')) throw new Error(`the call succeeded: ${text}`)
      },
    },
    {
      point: 'again and again while it is called',
      async inject(scene) {
        for (let round = 0; round < 3; round++) {
          await eventually('it runs', async () => (await processesWith(scene.mark)).length === 1, 60_000)
          for (const pid of await processesWith(scene.mark)) process.kill(pid, 'SIGKILL')
          await scene.echo(servers.local, 'x').catch(() => undefined)
          await scene.api('POST', `/api/servers/${servers.local}/connect`)
        }
      },
    },
  ],
}

const impatience: Fault = {
  fault: 'a server connected anew again and again while it starts',
  points: [
    {
      point: '30 times, each a little later',
      async inject(scene) {
        const asked: Promise<unknown>[] = []
        for (let time = 0; time < 30; time++) {
          asked.push(scene.api('POST', `/api/servers/${servers.local}/connect`))
          await sleep(time)
        }
        await Promise.all(asked)
      },
    },
  ],
}

const killedBridge: Fault = {
  fault: 'kill -9 of the stdio bridge',
  points: [
    {
      point: 'at rest',
      async inject(scene) {
        await using bridge = startBridge(scene)
        await bridge.ask({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
        await bridge.child.kill()
        await using next = startBridge(scene)
        await next.ask({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      },
    },
    {
      point: 'with 200 requests under way',
      async inject(scene) {
        await using bridge = startBridge(scene)
        await bridge.ask({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
        for (let id = 2; id < 202; id++) {
          const params = { name: 'dsh_list_sessions', arguments: {} }
          bridge.send({ jsonrpc: '2.0', id, method: 'tools/call', params })
        }
        await bridge.child.kill()
        await using next = startBridge(scene)
        await next.ask({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      },
    },
    {
      point: 'while a call waits',
      async inject(scene) {
        await using bridge = startBridge(scene)
        const params = { name: 'dsh_start_session', arguments: { cwd: scene.home, prompt: 'hang' } }
        const started = await bridge.ask({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
        const sessionId = /\\?"sessionId\\?":\s*\\?"([^"\\]+)/.exec(started)?.[1]
        if (sessionId === undefined) throw new Error(`no session: ${started}`)
        bridge.send({
          jsonrpc: '2.0',
          id: 2,
          method: 'tools/call',
          params: { name: 'dsh_wait_session', arguments: { sessionId } },
        })
        await sleep(200)
        await bridge.child.kill()
        await using next = startBridge(scene)
        const stop = { name: 'dsh_interrupt_session', arguments: { sessionId } }
        await next.ask({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: stop })
      },
    },
  ],
}

/**
 * A program that starts the bridge on a named pipe whose other end the bridge has too, so that it never ends; tells the
 * bridge's process id and waits.
 */
const client = `const input = require('node:fs').openSync(process.argv[1], 'r+')
  const { pid } = require('node:child_process').spawn(process.execPath, process.argv.slice(2),
  { stdio: [input, 'inherit', 'inherit'] }); console.log('bridge ' + pid); setInterval(() => {}, 1e6)`

const killedClient: Fault = {
  fault: 'kill -9 of the program that runs the bridge',
  points: [
    {
      point: 'whose pipe stays open: the bridge must not outlive it',
      async inject(scene) {
        if (process.platform === 'win32') return { skipped: 'named pipes of the file system' }
        const pipe = join(scene.home, 'bridge-input')
        execFileSync('mkfifo', [pipe])
        const env = hostEnvironment(scene.home)
        const program = startChild(nodeBinary, ['-e', client, pipe, bridgeProgram], { env })
        const [, pid] = await program.waitForOutput(/^bridge (\d+)$/m)
        try {
          await writeFile(pipe, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
          await program.waitForOutput(/"id":1/)
          // Not child.kill(), which waits for the end of the pipes that the bridge holds too.
          program.process.kill('SIGKILL')
          await eventually('the bridge has ended', async () => {
            return !(await processesWith(`DSH_HOME=${scene.home}`)).includes(Number(pid))
          })
        } finally {
          if (isAlive(Number(pid))) process.kill(Number(pid), 'SIGKILL')
          await rm(pipe)
        }
        return undefined
      },
    },
  ],
}

const killedWriter = (ms: number) => ({
  point: `after ${ms} ms of writing`,
  async inject(scene: Scene) {
    const other = startChild(nodeBinary, [writer, scene.statePath, 'other'], {})
    await other.waitForOutput(/^written \d+$/m)
    await sleep(ms)
    await other.kill()
    const confirmed = Number([...other.stdout().matchAll(/^written (\d+)$/gm)].at(-1)?.[1])
    const kept = (await stateOf(scene)).written?.['other'] ?? 0
    if (kept < confirmed) throw new DataLost(`${confirmed} writes were confirmed, ${kept} are there`)
    const name = `after-kill-${ms}`
    const body = { name, type: 'stdio', command: 'no-such-program', enabled: false }
    const { status } = await scene.api('POST', '/api/servers', { body })
    if (status !== 201) throw new Error(`the next write answered ${status}`)
    await removeServers(scene, name)
    return { note: `${confirmed} confirmed writes in all` }
  },
})

const killedSecondProcess: Fault = {
  fault: 'kill -9 of a second process that writes the state file',
  points: [killedWriter(1), killedWriter(7), killedWriter(23), { ...killedWriter(90), long: true }],
}

/** Processes that end without a word. */
export const kills: readonly Fault[] = [
  killedHost,
  killedServer,
  impatience,
  killedBridge,
  killedClient,
  killedSecondProcess,
]
