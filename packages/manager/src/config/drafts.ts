import { randomUUID } from 'node:crypto'
import { readdir, realpath, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { isGone } from './process-identity.ts'

/** A name beside `path` for content that is not whole yet; it tells which process is at it. */
export function draftPath(path: string): string {
  return `${path}.${process.pid}.${randomUUID()}.draft`
}

/** Drafts beside `path` (and of its lock files) that a process left when it ended: whole copies, secrets included. */
export async function leftDrafts(path: string): Promise<readonly string[]> {
  // A draft is made beside what a symbolic link names, a lock beside the link.
  const places = new Set([path, await realpath(path).catch(() => path)])
  const left: string[] = []
  for (const place of places) {
    const folder = dirname(place)
    const mine = basename(place)
    for (const entry of await readdir(folder).catch(() => [])) {
      const pid = entry.startsWith(`${mine}.`) ? /\.(\d+)\.[0-9a-f-]{36}\.draft$/.exec(entry)?.[1] : undefined
      if (pid === undefined) continue
      if (await isGone({ pid: Number(pid), host: hostname() })) left.push(join(folder, entry))
    }
  }
  return left
}

/** Removes them. Only while the lock of the file is held: a home on a shared disk may know the process elsewhere. */
export async function sweepDrafts(path: string): Promise<void> {
  for (const draft of await leftDrafts(path)) await rm(draft, { force: true }).catch(() => undefined)
}
