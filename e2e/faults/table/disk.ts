import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { startChild, nodeBinary } from '@dsh-mcp/testkit'
import type { Fault } from '../fault.ts'
import type { Scene } from '../scene.ts'

const run = promisify(execFile)
const writer = new URL('../state-writer.program.ts', import.meta.url).pathname

/** A small file system of its own, or the reason why there is none. */
async function smallDisk(path: string): Promise<{ end(): Promise<void> } | { skipped: string }> {
  if (process.platform !== 'linux') return { skipped: 'only Linux mounts a file system in memory here' }
  await mkdir(path, { recursive: true })
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=256k,mode=700', 'tmpfs', path])
  } catch {
    return { skipped: 'mounting a file system is not permitted' }
  }
  return {
    async end() {
      await run('umount', ['-l', path])
      await rm(path, { recursive: true, force: true })
    },
  }
}

const change = (path: string, name: string) => ({
  body: { path, name, type: 'stdio', command: 'no-such-program', args: ['x'.repeat(2_000)] },
})

/** A workspace on a disk of 256 KiB with a valid file on it; `damage` makes the disk refuse, `heal` makes it good again. */
function onSmallDisk(damage: (disk: string) => Promise<void>, heal: (disk: string) => Promise<void>) {
  return async (scene: Scene): Promise<void | { skipped: string }> => {
    const disk = join(scene.home, 'small-disk')
    const mounted = await smallDisk(disk)
    if ('skipped' in mounted) return mounted
    try {
      await scene.host().api('session.create', { cwd: disk })
      const first = await scene.api('POST', '/api/workspaces/servers', change(disk, 'first'))
      if (first.status !== 200) throw new Error(`before the fault: ${first.status} ${JSON.stringify(first.body)}`)
      const path = join(disk, '.dsh', 'dshmm', 'mcp.json')
      const before = await readFile(path, 'utf8')
      await damage(disk)
      const refused = await scene.api('POST', '/api/workspaces/servers', change(disk, 'second'))
      if (refused.status < 400) throw new Error(`a change was confirmed on a disk that refuses: ${refused.status}`)
      if ((await readFile(path, 'utf8')) !== before) throw new Error('the file was touched')
      await heal(disk)
      const next = await scene.api('POST', '/api/workspaces/servers', change(disk, 'third'))
      if (next.status !== 200) throw new Error(`after the fault: ${next.status} ${JSON.stringify(next.body)}`)
    } finally {
      await mounted.end()
    }
  }
}

/** A state file on a disk of 256 KiB, written by a process of its own. */
async function stateOnFullDisk(scene: Scene): Promise<void | { skipped: string }> {
  const disk = join(scene.home, 'state-disk')
  const mounted = await smallDisk(disk)
  if ('skipped' in mounted) return mounted
  try {
    const path = join(disk, 'mcp-manager.json')
    const state = JSON.parse(await readFile(scene.statePath, 'utf8')) as Record<string, unknown>
    // Two copies find no room: the one that stands and the draft.
    const large = JSON.stringify({ ...state, large: 'x'.repeat(140 * 1024) })
    await writeFile(path, large)
    await using other = startChild(nodeBinary, [writer, path, 'full'], {})
    const { code } = await other.exited
    if (code === 0 || /written/.test(other.stdout())) throw new Error('a write was confirmed on a full disk')
    if (!/ENOSPC/.test(other.stderr()) || !/nothing was changed/.test(other.stderr())) {
      throw new Error(`it does not say what is wrong: ${other.stderr().slice(0, 300)}`)
    }
    if ((await readFile(path, 'utf8')) !== large) throw new Error('the file was touched')
  } finally {
    await mounted.end()
  }
}

const fullDisk: Fault = {
  fault: 'a full disk',
  points: [
    { point: 'under the state file', inject: stateOnFullDisk },
    {
      point: 'under a workspace file',
      inject: onSmallDisk(
        async (disk) => {
          // Fills it to the last byte.
          await writeFile(join(disk, 'filler'), Buffer.alloc(512 * 1024)).catch(() => undefined)
        },
        (disk) => rm(join(disk, 'filler')),
      ),
    },
  ],
}

const readOnlyDisk: Fault = {
  fault: 'a disk that became read-only',
  points: [
    {
      point: 'under a workspace file',
      inject: onSmallDisk(
        async (disk) => void (await run('mount', ['-o', 'remount,ro', disk])),
        async (disk) => void (await run('mount', ['-o', 'remount,rw', disk])),
      ),
    },
    {
      point: 'under the state file, for a harness that runs',
      async inject(scene) {
        // A directory where the lock should be: no process, whatever its rights, can create it.
        const lock = `${scene.statePath}.refresh.lock`
        await mkdir(join(lock, 'held'), { recursive: true })
        try {
          const body = { name: 'never', type: 'stdio', command: 'no-such-program', enabled: false }
          const { status } = await scene.api('POST', '/api/servers', { body })
          if (status < 400) throw new Error(`a change was confirmed: ${status}`)
        } finally {
          await rm(lock, { recursive: true, force: true })
        }
      },
    },
    {
      point: 'under the endpoint file, at start',
      long: true,
      async inject(scene) {
        await scene.host().stop()
        const folder = join(scene.home, 'mcp')
        const token = await readFile(join(folder, 'dsh-mcp-token'))
        await rm(folder, { recursive: true })
        await writeFile(folder, 'a file where a folder should be')
        await scene.restart()
        const { status } = await scene.api('GET', '/api/servers')
        if (status !== 200) throw new Error(`the page's API answered ${status}`)
        await scene.host().stop()
        await rm(folder)
        await mkdir(folder, { mode: 0o700 })
        await writeFile(join(folder, 'dsh-mcp-token'), token)
        await chmod(join(dirname(folder), 'mcp'), 0o700)
        await scene.restart()
      },
    },
  ],
}

const slowDisk: Fault = {
  fault: 'a process that hangs while it holds the lock, as on a disk that does not answer',
  points: [
    {
      point: 'for two seconds',
      async inject(scene) {
        await using other = startChild(nodeBinary, [writer, scene.statePath, 'slow'], {})
        await other.waitForOutput(/^written \d+$/m)
        other.process.kill('SIGSTOP')
        const body = { name: 'waits', type: 'stdio', command: 'no-such-program', enabled: false }
        const adding = scene.api('POST', '/api/servers', { body })
        setTimeout(() => other.process.kill('SIGKILL'), 2_000)
        const { status, body: added } = await adding
        if (status !== 201) throw new Error(`the waiting change answered ${status}`)
        await scene.api('DELETE', `/api/servers/${(added as { server: { id: string } }).server.id}`)
      },
    },
  ],
}

/** Disks that do not take what is written. */
export const disk: readonly Fault[] = [fullDisk, readOnlyDisk, slowDisk]
