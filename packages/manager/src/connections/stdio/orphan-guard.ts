import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'

/**
 * Reads `add <group>` and `drop <group>`; when its input ends (this process closed it, or died in whatever way), ends
 * every group still on its list.
 */
const script = `
groups=' '
while read -r word group; do
  case "$word" in
    add) groups="$groups$group " ;;
    drop) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -s TERM -- "-$group" 2>/dev/null; done
[ "$groups" = ' ' ] && exit 0
sleep 2
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
`

/** Ends process groups when this process cannot do it any more, for example after SIGKILL. */
export interface OrphanGuard {
  add(group: number): void
  drop(group: number): void
  /** Lets the guard go. Groups still added are ended by it. */
  close(): void
}

/** The same for Windows, where a process tree is named by its root and there is no shell to rely on. */
const windowsScript = `
const { spawnSync } = require('node:child_process')
const roots = new Set()
const lines = require('node:readline').createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const [word, root] = line.split(' ')
  if (word === 'add') roots.add(root)
  else roots.delete(root)
})
lines.on('close', () => {
  for (const root of roots) spawnSync('taskkill', ['/PID', root, '/T', '/F'], { windowsHide: true })
})
`

function spawnGuard(platform: NodeJS.Platform) {
  const stdio: ['pipe', 'ignore', 'ignore'] = ['pipe', 'ignore', 'ignore']
  if (platform !== 'win32') return spawn('/bin/sh', ['-c', script], { detached: true, stdio, env: {} })
  // A desktop host's executable is not Node by itself.
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  return spawn(process.execPath, ['-e', windowsScript], { detached: true, stdio, env, windowsHide: true })
}

/** A guard that starts its (small) process when the first group is added. */
export function createOrphanGuard(platform: NodeJS.Platform = process.platform): OrphanGuard {
  const groups = new Set<number>()
  let child: ChildProcess | undefined
  const say = (line: string): void => void child?.stdin?.write(`${line}\n`)

  function start(): void {
    const started = spawnGuard(platform)
    child = started
    started.stdin.on('error', () => undefined)
    const forget = (): void => {
      if (child === started) child = undefined
    }
    started.on('error', forget)
    started.on('exit', forget)
    started.unref()
    for (const group of groups) say(`add ${group}`)
  }

  return {
    add(group) {
      groups.add(group)
      if (child === undefined) start()
      else say(`add ${group}`)
    },
    drop(group) {
      if (!groups.delete(group)) return
      say(`drop ${group}`)
      if (groups.size === 0) this.close()
    },
    close() {
      child?.stdin?.end()
      child = undefined
    },
  }
}
