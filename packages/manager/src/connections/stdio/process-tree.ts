import { execFile } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'

/** How long a server may take to leave by itself, and then after being asked, in milliseconds. */
export interface Patience {
  readonly afterEndOfInputMs: number
  readonly afterTermMs: number
}

const ordinary: Patience = { afterEndOfInputMs: 700, afterTermMs: 1_500 }

function groupLives(pid: number): boolean {
  try {
    process.kill(-pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // The group is gone already.
  }
}

function killWindowsTree(pid: number): Promise<void> {
  return new Promise((resolve) => {
    execFile('taskkill', ['/PID', String(pid), '/T', '/F'], { windowsHide: true }, () => resolve())
  })
}

async function until(condition: () => boolean, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs
  let pause = 5
  while (!condition()) {
    if (performance.now() >= end) return false
    await delay(pause)
    pause = Math.min(pause * 2, 50)
  }
  return true
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/**
 * Ends a child and all its descendants, and waits until they are gone: end of input, then SIGTERM, then SIGKILL to the
 * process group (MCP, stdio shutdown); on Windows `taskkill /T`. The child must have been started as a group of its own
 * (`detached`).
 */
export async function endProcessTree(child: ChildProcess, patience: Patience = ordinary): Promise<void> {
  const pid = child.pid
  child.stdin?.end()
  if (pid === undefined) return
  if (process.platform === 'win32') {
    // The tree is known only while its root lives, so nothing is left to a quiet end.
    if (!hasExited(child)) await killWindowsTree(pid)
    await until(() => hasExited(child), patience.afterTermMs)
    return
  }
  const gone = (): boolean => hasExited(child) && !groupLives(pid)
  if (await until(gone, patience.afterEndOfInputMs)) return
  signalGroup(pid, 'SIGTERM')
  if (await until(gone, patience.afterTermMs)) return
  signalGroup(pid, 'SIGKILL')
  await until(gone, 5_000)
}
