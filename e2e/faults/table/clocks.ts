import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../fault.ts'
import { servers, type Scene } from '../scene.ts'

const preload = pathToFileURL(new URL('../clock.preload.mjs', import.meta.url).pathname).href
const year = 365 * 24 * 3_600_000

/** Starts the harness with a clock that can be set, unless it has one. */
async function withClock(scene: Scene): Promise<(offset: number) => Promise<void>> {
  const file = join(scene.home, 'clock-offset')
  await writeFile(file, '0')
  await scene.restart({ NODE_OPTIONS: `--import ${preload}`, FAULTS_CLOCK: file })
  await scene.holds()
  return (offset) => writeFile(file, String(offset))
}

const jumps: readonly (readonly [string, readonly number[]])[] = [
  ['an hour ahead and back', [3_600_000, 0]],
  ['a year ahead', [year]],
  ['a year back', [-year]],
  ['to 1970', [-Date.now()]],
  ['to and fro twenty times', Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? year : -year))],
]

const clock: Fault = {
  fault: 'a clock that jumps',
  points: [
    {
      point: jumps.map(([name]) => name).join('; '),
      async inject(scene) {
        const set = await withClock(scene)
        for (const [name, offsets] of jumps) {
          const call = scene.api('POST', `/api/servers/${servers.local}/try`, {
            body: { tool: 'sleep', arguments: { ms: 600 } },
          })
          for (const offset of offsets) {
            await sleep(20)
            await set(offset)
          }
          const { status, body } = await call
          const { isError } = body as { isError?: boolean }
          if (status !== 200 || isError === true) {
            throw new Error(`a call ended when the clock went ${name}: ${JSON.stringify(body)}`)
          }
          for (const id of [servers.local, servers.net]) await scene.echo(id, name)
          const added = await scene.api('POST', '/api/servers', {
            body: { name: 'clocked', type: 'stdio', command: 'no-such-program', enabled: false },
          })
          if (added.status !== 201) throw new Error(`a change was refused when the clock went ${name}`)
          await scene.api('DELETE', `/api/servers/${(added.body as { server: { id: string } }).server.id}`)
        }
        await scene.restart()
      },
    },
  ],
}

/** Wall clocks that cannot be relied on. */
export const clocks: readonly Fault[] = [clock]
