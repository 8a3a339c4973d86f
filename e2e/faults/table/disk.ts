import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
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

/** Lets a running harness have its state file, through a link, on a disk of 256 KiB; it must refuse and tell why. */
function stateOnSmallDisk(damage: (disk: string) => Promise<void>, heal: (disk: string) => Promise<void>) {
  return async (scene: Scene): Promise<void | { skipped: string }> => {
    const disk = join(scene.home, 'state-disk')
    const mounted = await smallDisk(disk)
    if ('skipped' in mounted) return mounted
    const path = join(disk, 'mcp-manager.json')
    const body = { name: 'on-small-disk', type: 'stdio', command: 'no-such-program', enabled: false }
    try {
      const good = await readFile(scene.statePath, 'utf8')
      await writeFile(path, good, { mode: 0o600 })
      await rm(scene.statePath)
      await symlink(path, scene.statePath)
      await damage(disk)
      const refused = await scene.api('POST', '/api/servers', { body })
      if (refused.status < 400) throw new Error(`a change was confirmed on a disk that refuses: ${refused.status}`)
      const said = JSON.stringify(refused.body)
      if (!said.includes('nothing was changed')) throw new Error(`it does not say what is wrong: ${said}`)
      if ((await readFile(path, 'utf8')) !== good) throw new Error('the file was touched')
      await heal(disk)
      const next = await scene.api('POST', '/api/servers', { body })
      if (next.status !== 201) throw new Error(`after the fault: ${next.status} ${JSON.stringify(next.body)}`)
      await scene.api('DELETE', `/api/servers/${(next.body as { server: { id: string } }).server.id}`)
      const left = await readdir(disk)
      if (left.some((name) => name.endsWith('.draft'))) throw new Error(`left on the disk: ${left.join(', ')}`)
    } finally {
      const last = await readFile(path, 'utf8')
      await rm(scene.statePath)
      await writeFile(scene.statePath, last, { mode: 0o600 })
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

/** Fills it to the last byte. */
async function fill(disk: string): Promise<void> {
  await writeFile(join(disk, 'filler'), Buffer.alloc(512 * 1024)).catch(() => undefined)
}

const empty = (disk: string): Promise<void> => rm(join(disk, 'filler'))

const remount = (mode: 'ro' | 'rw') => async (disk: string) =>
  void (await run('mount', ['-o', `remount,${mode}`, disk]))

const fullDisk: Fault = {
  fault: 'a full disk',
  points: [
    { point: 'under the state file, for a second process', inject: stateOnFullDisk },
    { point: 'under the state file of a harness that runs', inject: stateOnSmallDisk(fill, empty) },
    { point: 'under a workspace file', inject: onSmallDisk(fill, empty) },
  ],
}

const readOnlyDisk: Fault = {
  fault: 'a disk that became read-only',
  points: [
    { point: 'under a workspace file', inject: onSmallDisk(remount('ro'), remount('rw')) },
    {
      point: 'under the state file of a harness that runs',
      inject: stateOnSmallDisk(remount('ro'), remount('rw')),
    },
    {
      point: 'under the lock of the state file',
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

/** Disks that do not take what is written. */
export const disk: readonly Fault[] = [fullDisk, readOnlyDisk]
