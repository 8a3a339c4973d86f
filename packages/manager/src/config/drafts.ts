import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { isGone } from './process-identity.ts'

/** A name beside `path` for content that is not whole yet; it tells which process is at it. */
export function draftPath(path: string): string {
  return `${path}.${process.pid}.${randomUUID()}.draft`
}

/** Removes drafts beside `path` (and of its lock files) that a process left when it ended. */
export async function sweepDrafts(path: string): Promise<void> {
  const folder = dirname(path)
  const mine = basename(path)
  const entries = await readdir(folder).catch(() => [])
  for (const entry of entries) {
    const pid = entry.startsWith(`${mine}.`) ? /\.(\d+)\.[0-9a-f-]{36}\.draft$/.exec(entry)?.[1] : undefined
    if (pid === undefined) continue
    if (await isGone({ pid: Number(pid), host: hostname() })) await rm(join(folder, entry), { force: true })
  }
}
