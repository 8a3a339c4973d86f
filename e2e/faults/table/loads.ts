import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, processesWith } from '@dsh-mcp/testkit'
import { startBridge } from '../bridge.ts'
import type { Fault, Figure } from '../fault.ts'
import { observed, type Held } from '../held.ts'
import { servers, type Scene } from '../scene.ts'
import { trendOf } from '../trend.ts'

/** Calls a server until it answers again. */
async function comesBack(scene: Scene, id: string): Promise<void> {
  await eventually(`${id} is back`, async () => {
    await scene.api('POST', `/api/servers/${id}/connect`)
    return (await scene.echo(id, 'back')) === 'back'
  })
}

/** A crash of the stdio server and a cut of the network, from which both servers come back. */
async function oneFault(scene: Scene): Promise<void> {
  for (const pid of await processesWith(scene.mark)) process.kill(pid, 'SIGKILL')
  scene.wire.become({ kind: 'cut' })
  await scene.api('POST', `/api/servers/${servers.net}/try`, { body: { tool: 'echo', arguments: { text: 'x' } } })
  scene.wire.become({ kind: 'none' })
  for (const id of [servers.local, servers.net]) await comesBack(scene, id)
}

/** One round of what users and agents do. */
async function round(scene: Scene, index: number): Promise<void> {
  const body = { name: `load${index}`, type: 'stdio', command: 'no-such-program', enabled: false }
  const { status, body: added } = await scene.api('POST', '/api/servers', { body })
  if (status !== 201) throw new Error(`round ${index}: a server could not be added (${status})`)
  const own = (added as { server: { id: string } }).server.id
  await Promise.all([
    scene.echo(servers.local, `round ${index}`),
    scene.echo(servers.net, `round ${index}`),
    scene.api('GET', '/api/servers'),
    scene.api('GET', `/api/servers/${servers.local}/logs`),
    scene.mcp('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'),
    scene.mcp('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"dsh_list_sessions","arguments":{}}}'),
    scene.mcp('{"jsonrpc":"2.0","id":3,"method":"no/such"}'),
  ])
  await scene.api('DELETE', `/api/servers/${own}`)
  if (index % 25 === 0) {
    await using bridge = startBridge(scene)
    await bridge.ask({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    await scene.api('POST', `/api/servers/${servers.local}/connect`)
    await scene.api('POST', `/api/servers/${servers.net}/connect`)
  }
  if (index % 25 === 10) await oneFault(scene)
}

/**
 * What may grow from the end of the warm-up to the end of the load, and why not less. A leak of one object or handle for
 * each call is beyond it by far: an hour holds some 100 000 calls.
 */
const allowed: Readonly<Record<keyof Held, (start: number) => number>> = {
  // Live objects go up and down with what is under way at the moment of the look, by 1 to 3 MiB.
  live: () => 8,
  // Memory that was freed stays with the process's allocator for a while.
  resident: (start) => start * 0.2 + 16,
  // The seven calls of a round may have their connections open.
  handles: () => 8,
  resources: () => 8,
  processes: () => 0,
}

const units: Readonly<Record<keyof Held, string>> = {
  live: 'MiB of live objects',
  resident: 'MiB resident',
  handles: 'open handles',
  resources: 'active resources',
  processes: 'server processes',
}

/** The shortest load whose memory says something; in less the engine is still compiling. */
const memorySeconds = 60

function figuresOf(samples: readonly (Held & { readonly seconds: number })[]): readonly Figure[] {
  // The first quarter is warming up: caches, compiled code.
  const warm = samples.slice(Math.floor(samples.length / 4))
  return (Object.keys(allowed) as (keyof Held)[]).map((what) => {
    const trend = trendOf(warm.map((held) => ({ seconds: held.seconds, value: held[what] })))
    return { what: units[what], ...trend, allowed: allowed[what](trend.start) }
  })
}

const mixedLoad: Fault = {
  fault: 'mixed load',
  points: [
    {
      point: 'with flat memory, handles and processes',
      async inject(scene, { loadSeconds }) {
        if (process.platform !== 'linux') return { skipped: 'memory and handles are read in /proc' }
        const look = await observed(scene)
        const samples: (Held & { seconds: number })[] = []
        const started = performance.now()
        const secondsSoFar = (): number => (performance.now() - started) / 1_000
        let rounds = 0
        for (let next = 0; secondsSoFar() < loadSeconds || samples.length < 4; rounds++) {
          await round(scene, rounds)
          if (secondsSoFar() < next) continue
          samples.push({ seconds: secondsSoFar(), ...(await look()) })
          next = secondsSoFar() + Math.max(0.4, loadSeconds / 200)
        }
        await sleep(200)
        const figures = figuresOf(samples).filter(({ what }) => loadSeconds >= memorySeconds || !what.includes('MiB'))
        const note = figures
          .map(({ what, start, end, growth }) => `${what} ${round1(start)} → ${round1(end)}, slope ${round1(growth)}`)
          .join('; ')
        const grown = figures.filter(({ growth, allowed: most }) => growth > most)
        if (grown.length > 0) throw new Error(`${grown.map(({ what }) => what).join(', ')} grow: ${note}`)
        if (samples.some(({ processes }) => processes > 2)) throw new Error('more than two server processes at once')
        return { note: `${rounds} rounds in ${loadSeconds} s; ${note}`, figures }
      },
    },
  ],
}

const round1 = (value: number): number => Math.round(value * 10) / 10

/** Much at once, and for long. */
export const loads: readonly Fault[] = [mixedLoad]
