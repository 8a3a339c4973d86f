import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, processesWith } from '@dsh-mcp/testkit'
import { startBridge } from '../bridge.ts'
import type { Fault, Figure } from '../fault.ts'
import { afterRest, figuresOf, grew, moreOf, type LoadSample } from '../growth.ts'
import { observed, type Look } from '../held.ts'
import { servers, type Scene } from '../scene.ts'

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

/** How long a harness is left alone before what it still holds counts as leaked, in ms: twice what connections are kept for. */
const restMs = 10_000

/** Rounds for `loadSeconds`, with a look at what the harness holds every 0.4 s or 200 times in all. */
async function samplesUnderLoad(
  scene: Scene,
  look: () => Promise<Look>,
  loadSeconds: number,
): Promise<{ readonly rounds: number; readonly samples: readonly LoadSample[] }> {
  const samples: LoadSample[] = []
  const started = performance.now()
  const secondsSoFar = (): number => (performance.now() - started) / 1_000
  let rounds = 0
  for (let next = 0; secondsSoFar() < loadSeconds || samples.length < 4; rounds++) {
    await round(scene, rounds)
    if (secondsSoFar() < next) continue
    samples.push({ seconds: secondsSoFar(), ...(await look()) })
    next = secondsSoFar() + Math.max(0.4, loadSeconds / 200)
  }
  return { rounds, samples }
}

/** Leaves the harness alone until what had grown is gone, or for `restMs`; resolves with the last look. */
async function restOf(look: () => Promise<Look>, figures: readonly Figure[]): Promise<Look> {
  const until = performance.now() + restMs
  for (;;) {
    await sleep(1_000)
    const rest = await look()
    if (!afterRest(figures, rest).some(grew) || performance.now() > until) return rest
  }
}

const mixedLoad: Fault = {
  fault: 'mixed load',
  points: [
    {
      point: 'with flat memory, handles and processes',
      async inject(scene, { loadSeconds }) {
        if (process.platform !== 'linux') return { skipped: 'memory and handles are read in /proc' }
        const look = await observed(scene)
        const before = await look()
        const { rounds, samples } = await samplesUnderLoad(scene, look, loadSeconds)
        const underLoad = figuresOf(samples, loadSeconds)
        const rest = underLoad.some(grew) ? await restOf(look, underLoad) : undefined
        const figures = rest === undefined ? underLoad : afterRest(underLoad, rest)
        const note = figures
          .map(({ what, start, end, growth }) => `${what} ${round1(start)} → ${round1(end)}, growth ${round1(growth)}`)
          .join('; ')
        const grown = figures.filter(grew).map(({ what }) => what)
        if (grown.length > 0)
          throw new Error(
            `${grown.join(', ')} grow: ${note}${rest === undefined ? '' : ` (more of ${moreOf(before, rest)})`}`,
          )
        if (samples.some(({ processes }) => processes > 2)) throw new Error('more than two server processes at once')
        return { note: `${rounds} rounds in ${loadSeconds} s; ${note}`, figures }
      },
    },
  ],
}

const round1 = (value: number): number => Math.round(value * 10) / 10

/** Much at once, and for long. */
export const loads: readonly Fault[] = [mixedLoad]
