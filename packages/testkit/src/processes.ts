import { readdir, readFile } from 'node:fs/promises'

/** Ids of living processes whose environment holds `mark` (Linux). Zombies do not count. */
export async function processesWith(mark: string): Promise<readonly number[]> {
  const found: number[] = []
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      if ((await readFile(`/proc/${entry}/environ`, 'utf8')).includes(mark)) found.push(Number(entry))
    } catch {
      // It ended meanwhile, or belongs to somebody else.
    }
  }
  return found
}

/** Whether a process with that id lives. A zombie counts as living. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    // ESRCH: gone. Tests only ask of processes of their own, so it is never EPERM.
    return false
  }
}
