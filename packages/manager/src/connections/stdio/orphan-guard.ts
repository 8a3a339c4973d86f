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

const none: OrphanGuard = { add: () => undefined, drop: () => undefined, close: () => undefined }

/** A guard that starts its (small) process when the first group is added. On Windows there is none. */
export function createOrphanGuard(platform: NodeJS.Platform = process.platform): OrphanGuard {
  if (platform === 'win32') return none
  const groups = new Set<number>()
  let child: ChildProcess | undefined
  const say = (line: string): void => void child?.stdin?.write(`${line}\n`)

  function start(): void {
    const started = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], env: {} })
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
