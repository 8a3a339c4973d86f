import { randomUUID } from 'node:crypto'
import { link, open, rm, stat, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { draftPath } from './drafts.ts'
import { isGone, thisProcess } from './process-identity.ts'
import type { ProcessIdentity } from './process-identity.ts'
import { StateFileError } from './state-file.ts'
import { textIfThere } from './text-if-there.ts'

interface LockOwner extends ProcessIdentity {
  readonly nonce: string
}

/** How long a lock file without readable content must stay the same before it counts as a torn creation. */
const tornAfterMs = 2_000

function ownerIn(content: string): LockOwner | undefined {
  try {
    const value: unknown = JSON.parse(content)
    if (typeof value !== 'object' || value === null) return undefined
    const { pid, host, nonce, started } = value as Record<string, unknown>
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof nonce !== 'string') return undefined
    return { pid, host, nonce, ...(typeof started === 'string' && { started }) }
  } catch {
    return undefined
  }
}

function isTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST'
}

/** Creates `path` with its content in one step, so that nobody sees it half-written. False: it exists. */
async function createWhole(path: string, content: string): Promise<boolean> {
  const draft = draftPath(path)
  try {
    await writeFile(draft, content, { mode: 0o600, flag: 'wx' })
    try {
      await link(draft, path)
      return true
    } catch (error) {
      if (isTaken(error)) return false
      // A file system without hard links: exclusive creation, which a crash can tear.
      const file = await open(path, 'wx', 0o600).catch((failure: unknown) => {
        if (isTaken(failure)) return undefined
        throw failure
      })
      if (file === undefined) return false
      await file.writeFile(content)
      await file.close()
      return true
    }
  } finally {
    await rm(draft, { force: true })
  }
}

/** What was seen of a lock file without readable content, to tell a torn creation from one under way. */
interface Torn {
  readonly changed: number
  readonly since: number
}

async function isStale(path: string, content: string, torn: Torn | undefined): Promise<boolean | Torn> {
  const owner = ownerIn(content)
  if (owner !== undefined) return isGone(owner)
  const changed = (await stat(path).catch(() => undefined))?.mtimeMs
  if (changed === undefined) return false
  if (torn?.changed !== changed) return { changed, since: performance.now() }
  return performance.now() - torn.since >= tornAfterMs
}

/**
 * Removes a stale lock, if no other process is at it. The marker `<lock>.reclaim` makes this exclusive; one left by a
 * crash stops all reclaiming until a person has looked and removed it.
 */
async function reclaim(path: string, staleContent: string, self: LockOwner): Promise<boolean> {
  const marker = `${path}.reclaim`
  if (!(await createWhole(marker, JSON.stringify(self)))) return false
  try {
    if ((await textIfThere(path)) === staleContent) await rm(path, { force: true })
  } finally {
    await rm(marker, { force: true })
  }
  return true
}

/** A lock held. */
export interface HeldLock {
  release(): Promise<void>
}

function ioError(path: string, error: unknown): StateFileError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
  const message = `cannot create the lock ${path} (${code}): check that the folder exists, is writable and has free space`
  return new StateFileError('io', message, { cause: error })
}

async function waitedTooLong(path: string, waitMs: number): Promise<StateFileError> {
  const seconds = Math.round(waitMs / 1000)
  if ((await textIfThere(`${path}.reclaim`)) !== undefined) {
    return new StateFileError(
      'reclaim-needed',
      `${path} could not be locked within ${seconds} s: ${path}.reclaim was left by a process that ended while it cleaned ` +
        'up. Make sure that no other DSH process is running, then delete both files',
    )
  }
  const owner = ownerIn((await textIfThere(path)) ?? '')
  const holder = owner === undefined ? 'another process' : `process ${owner.pid} on ${owner.host}`
  return new StateFileError('locked', `${path} is held by ${holder} for more than ${seconds} s; nothing was written`)
}

/**
 * Takes the lock `path`, across processes. It names its owner (process, start time, nonce) and is taken from an owner only
 * when that process has ended; age alone never counts.
 * @throws {StateFileError} `locked` or `reclaim-needed` after `waitMs`, `io`, or `aborted`.
 */
export async function acquireLock(path: string, waitMs: number, signal?: AbortSignal): Promise<HeldLock> {
  const self: LockOwner = { ...(await thisProcess()), nonce: randomUUID() }
  const content = JSON.stringify(self)
  const started = performance.now()
  let torn: Torn | undefined
  let pause = 4
  for (;;) {
    if (signal?.aborted)
      throw new StateFileError('aborted', 'aborted while waiting for the state file', { cause: signal.reason })
    try {
      if (await createWhole(path, content)) break
    } catch (error) {
      throw ioError(path, error)
    }
    const held = await textIfThere(path)
    if (held === undefined) continue
    const verdict = await isStale(path, held, torn)
    torn = typeof verdict === 'object' ? verdict : verdict ? undefined : torn
    if (verdict === true && (await reclaim(path, held, self))) continue
    if (performance.now() - started >= waitMs) throw await waitedTooLong(path, waitMs)
    await delay(pause * (0.5 + Math.random()))
    pause = Math.min(pause * 1.5, 50)
  }
  return {
    async release() {
      if (ownerIn((await textIfThere(path)) ?? '')?.nonce === self.nonce) await rm(path, { force: true })
    },
  }
}
