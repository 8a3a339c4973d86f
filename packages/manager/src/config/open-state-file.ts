import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { replaceFile } from './atomic-write.ts'
import { leftDrafts, sweepDrafts } from './drafts.ts'
import { acquireLock } from './file-lock.ts'
import { emptySnapshot, migrate, readDocument, readSnapshot, writeDocument } from './state-document.ts'
import { StateFileError } from './state-file.ts'
import type { StateDraft, StateFile, StateSnapshot, UpdateOptions } from './state-file.ts'
import { textIfThere } from './text-if-there.ts'

/** Options of {@link openStateFile}. */
export interface OpenStateFileOptions {
  /** How often the file is looked at for edits of others, in milliseconds; default 1 000, 0 = never. */
  readonly pollMs?: number
}

const defaultWaitMs = 30_000
/** How long closing waits for changes that have not got the lock yet. */
const closingWaitMs = 3_000

async function stampOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found === undefined ? 'absent' : `${found.ino}/${found.size}/${found.mtimeMs}`
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function invalid(path: string, error: unknown): StateFileError {
  const text = `${path} is not valid (${message(error)}): it is left as it is and nothing is written; mend or remove it`
  return new StateFileError('invalid', text, { cause: error })
}

/** Opens the state file at `path`. Nothing is read before the first {@link StateFile.reload}, which also starts watching. */
export function openStateFile(path: string, options: OpenStateFileOptions = {}): StateFile {
  const pollMs = options.pollMs ?? 1_000
  const lockPath = `${path}.refresh.lock`
  const listeners = new Set<(snapshot: StateSnapshot, before: StateSnapshot) => void>()
  let snapshot = emptySnapshot
  let seenText: string | undefined
  let seenStamp = ''
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let isLooked = false
  const giveUp = new AbortController()
  let queue: Promise<unknown> = Promise.resolve()
  let reading: Promise<unknown> = Promise.resolve()

  function publish(next: StateSnapshot): void {
    const before = snapshot
    snapshot = next
    for (const listener of listeners) {
      try {
        listener(next, before)
      } catch {
        // A listener that fails must neither stop the others nor undo what is on disk.
      }
    }
  }

  async function adopt(text: string | undefined): Promise<void> {
    if (text === seenText) return
    if (text === undefined) {
      seenText = text
      publish(emptySnapshot)
      return
    }
    let document: StateDraft
    try {
      document = readDocument(text)
    } catch (error) {
      seenText = text
      publish({ ...snapshot, problems: [invalid(path, error).message] })
      return
    }
    migrate(document)
    const next = await readSnapshot(document)
    seenText = text
    publish(next)
  }

  /** What killed processes left goes at the first look, not only at the next change. */
  async function look(): Promise<void> {
    if (isLooked) return
    isLooked = true
    // Where that fails the next change tries again.
    if ((await leftDrafts(path)).length > 0) void update(() => undefined).catch(() => undefined)
  }

  async function read(): Promise<void> {
    await look()
    seenStamp = await stampOf(path)
    let text: string | undefined
    try {
      text = await textIfThere(path)
    } catch (error) {
      publish({ ...snapshot, problems: [`${path} cannot be read (${message(error)}); the last good content runs on`] })
      return
    }
    await adopt(text)
    if (text === undefined || snapshot.problems.length > 0) return
    if (migrate(readDocument(text))) await saveMigration()
  }

  async function saveMigration(): Promise<void> {
    try {
      await update(() => undefined)
    } catch (error) {
      // It runs on from memory, with the same ids; the next change tries again.
      publish({ ...snapshot, problems: [...snapshot.problems, message(error)] })
    }
  }

  function watch(): void {
    if (closed || pollMs === 0 || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      void stampOf(path)
        .then((stamp) => (stamp === seenStamp || closed ? undefined : reload()))
        .then(watch)
    }, pollMs)
    timer.unref()
  }

  function reload(): Promise<StateSnapshot> {
    const turn = reading.then(read, read).then(() => {
      watch()
      return snapshot
    })
    reading = turn
    return turn
  }

  async function write<T>(change: (draft: StateDraft) => T | Promise<T>, limits: UpdateOptions): Promise<T> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch(() => undefined)
    const signal = limits.signal === undefined ? giveUp.signal : AbortSignal.any([limits.signal, giveUp.signal])
    const lock = await acquireLock(lockPath, limits.waitMs ?? defaultWaitMs, signal)
    try {
      await sweepDrafts(path)
      const before = await textIfThere(path)
      let document: StateDraft
      try {
        document = before === undefined ? { servers: [] } : readDocument(before)
      } catch (error) {
        throw invalid(path, error)
      }
      const untouched = before === undefined ? undefined : writeDocument(document)
      migrate(document)
      const result = await change(document)
      const after = writeDocument(document)
      if (after !== untouched) {
        try {
          await replaceFile(path, after)
        } catch (error) {
          const text = `${path} cannot be written (${message(error)}): nothing was changed; check free space and rights`
          throw new StateFileError('io', text, { cause: error })
        }
        await adopt(after)
        seenStamp = await stampOf(path)
      }
      return result
    } finally {
      await lock.release()
    }
  }

  function update<T>(change: (draft: StateDraft) => T | Promise<T>, limits: UpdateOptions = {}): Promise<T> {
    const turn = queue.then(() => {
      if (closed) throw new StateFileError('aborted', 'the state file is closed')
      return write(change, limits)
    })
    queue = turn.catch(() => undefined)
    return turn
  }

  return {
    path,
    current: () => snapshot,
    reload,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    update,
    async close() {
      const limit = setTimeout(() => giveUp.abort(), closingWaitMs)
      await queue
      clearTimeout(limit)
      closed = true
      clearTimeout(timer)
      listeners.clear()
      await reading.catch(() => undefined)
    },
  }
}
