import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { eventually, processesWith } from '@dsh-mcp/testkit'
import type { Scene } from './scene.ts'

/** What a harness holds at a moment. */
export interface Held {
  /** MiB of live objects after a collection; what Node keeps outside its heap is in it. */
  readonly live: number
  /** MiB of memory as the system counts it (resident set). */
  readonly resident: number
  /** Open files, sockets and pipes. */
  readonly handles: number
  /** Timers, sockets and requests that keep the process running. */
  readonly resources: number
  /** Processes of its stdio servers. */
  readonly processes: number
}

/** What a harness holds, and of which kinds its active resources are. */
export interface Look extends Held {
  readonly kinds: Readonly<Record<string, number>>
}

const preload = pathToFileURL(new URL('observe.preload.mjs', import.meta.url).pathname).href

interface Observed {
  readonly count: number
  readonly bytes: number
  readonly resources: Readonly<Record<string, number>>
}

const mebibyte = 1024 * 1024

/** Open file descriptors of the harness (Linux). */
export async function handlesOf(scene: Scene): Promise<number> {
  return (await readdir(`/proc/${scene.host().child.pid}/fd`)).length
}

/** Starts the harness of a scene anew so that it can be looked into, and resolves with what looks (Linux). */
export async function observed(scene: Scene): Promise<() => Promise<Look>> {
  const file = join(scene.home, 'observed.json')
  await scene.restart({ NODE_OPTIONS: `--import ${preload}`, FAULTS_OBSERVED: file })
  await scene.holds()
  const { child } = scene.host()
  let asked = 0
  return async () => {
    const count = ++asked
    child.process.kill('SIGUSR2')
    const { bytes, resources } = await eventually('the harness has looked', async () => {
      const seen = JSON.parse(await readFile(file, 'utf8')) as Observed
      return seen.count === count && seen
    })
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
    return {
      live: bytes / mebibyte,
      resident: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
      handles: await handlesOf(scene),
      resources: Object.values(resources).reduce((sum, count) => sum + count, 0),
      kinds: resources,
      processes: (await processesWith(scene.mark)).length,
    }
  }
}
