import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebHost } from '@dsh-mcp/testkit'
import type { Fault } from '../fault.ts'
import { servers, type Scene } from '../scene.ts'

const preload = pathToFileURL(new URL('../clock.preload.mjs', import.meta.url).pathname).href
const year = 365 * 24 * 3_600_000

/** Files that set the clocks of harnesses that have one. */
const clockFiles = new WeakMap<WebHost, string>()

/** Sets the clock of the harness by so many milliseconds; one that has no such clock is started anew with one. */
async function setClock(scene: Scene, offset: number): Promise<void> {
  const known = clockFiles.get(scene.host())
  const file = known ?? join(scene.home, 'clock-offset')
  await writeFile(file, String(offset))
  if (known !== undefined) return
  clockFiles.set(await scene.restart({ NODE_OPTIONS: `--import ${preload}`, FAULTS_CLOCK: file }), file)
  await scene.holds()
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
  points: jumps.map(([point, offsets]) => ({
    point: `${point}, during a call`,
    long: !/back$|twenty/.test(point),
    async inject(scene) {
      await setClock(scene, 0)
      const call = scene.api('POST', `/api/servers/${servers.local}/try`, {
        body: { tool: 'sleep', arguments: { ms: 600 } },
      })
      for (const offset of offsets) {
        await sleep(20)
        await setClock(scene, offset)
      }
      const { status, body } = await call
      const { isError } = body as { isError?: boolean }
      if (status !== 200 || isError === true) throw new Error(`the call ended: ${JSON.stringify(body)}`)
      for (const id of [servers.local, servers.net]) await scene.echo(id, 'with another time')
      const declared = { name: 'clocked', type: 'stdio', command: 'no-such-program', enabled: false }
      const added = await scene.api('POST', '/api/servers', { body: declared })
      if (added.status !== 201) throw new Error(`a change was refused: ${added.status}`)
      await scene.api('DELETE', `/api/servers/${(added.body as { server: { id: string } }).server.id}`)
      await scene.holds()
      await setClock(scene, 0)
    },
  })),
}

/** Wall clocks that cannot be relied on. */
export const clocks: readonly Fault[] = [clock]
