import type { Stats } from 'node:fs'
import { mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { acquireLock, sweepDrafts, replaceFile } from '../config/index.ts'
import { emptyDeclaration, readDeclaration } from './declaration.ts'
import type { WorkspaceDeclaration, WorkspaceTokens } from './declaration.ts'
import {
  readWorkspaceDocument,
  WorkspaceEditError,
  workspaceFilePath,
  writeWorkspaceDocument,
} from './workspace-document.ts'
import type { WorkspaceDocument } from './workspace-document.ts'

/** What is known of one workspace file. */
export interface WorkspaceFileState {
  /** The last good content. */
  readonly declaration: WorkspaceDeclaration
  /** Why the present content is not used, if so. */
  readonly error: string | undefined
}

/** The workspace files that live sessions depend on, kept in step with the disk. */
export interface WorkspaceFiles {
  /** Reads a file now and keeps it in step from then on. Never rejects: what is wrong is in the state. */
  load(root: string): Promise<WorkspaceFileState>
  /** What was last read; `undefined` for a root that is not loaded. */
  get(root: string): WorkspaceFileState | undefined
  /** The roots that are kept in step. */
  roots(): readonly string[]
  /** Reads a file without keeping it in step. */
  peek(root: string): Promise<WorkspaceFileState>
  /** Forgets a root: its file is not looked at any more. */
  unload(root: string): void
  /** Reads every loaded file again, for example after tokens changed. */
  reload(): Promise<void>
  /**
   * Changes a file under a lock: read afresh, changed, written to a temporary file, renamed. A missing file is made.
   * @throws {SyntaxError} the file is invalid; it is never overwritten.
   */
  change(root: string, edit: (document: WorkspaceDocument) => void): Promise<void>
  close(): void
}

/** Every how many milliseconds the loaded files are looked at. */
const pollMs = 250
const lockWaitMs = 10_000

interface Loaded extends WorkspaceFileState {
  readonly stamp: string
}

/** Largest file that is read, in bytes: somebody else may have written it. */
const longestFile = 1024 * 1024

/** What a look at a file tells without reading it. */
interface FileStatus {
  /** Changes whenever the file does: an atomic replacement changes the inode, an edit the times or the size. */
  readonly stamp: string
  /** Why it must not be read. */
  readonly refusal: string | undefined
}

function refusalOf(file: Stats): string | undefined {
  const own = process.getuid?.()
  if (own !== undefined && file.uid !== own && file.uid !== 0) return 'belongs to another user and is not used'
  // A link may lead to a pipe, on which reading hangs, or to a device, which never ends.
  if (!file.isFile()) return 'is no regular file and is not used'
  return file.size > longestFile ? `is larger than ${longestFile / 1024} KiB and is not used` : undefined
}

async function statusOf(path: string): Promise<FileStatus> {
  try {
    const file = await stat(path)
    const { ino, size, mtimeMs, ctimeMs } = file
    return { stamp: `${ino} ${size} ${mtimeMs} ${ctimeMs}`, refusal: refusalOf(file) }
  } catch {
    return { stamp: 'absent', refusal: undefined }
  }
}

/** Where a path leads, whose last parts need not exist yet. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (dirname(path) === path) throw error
    return join(await targetOf(dirname(path)), basename(path))
  }
}

/**
 * Refuses to write where a link leads out of the workspace: its author chose the target, and a person who changes a setting
 * of this workspace does not mean another program's file.
 */
async function assertInside(root: string, path: string): Promise<void> {
  const [home, target] = await Promise.all([realpath(root), targetOf(path)])
  if (target.startsWith(`${home}${sep}`)) return
  throw new WorkspaceEditError('unusable-file', `${path} is a link out of the workspace, to ${target}: change it there`)
}

/** Opens the set. `changed` is told after each change of a loaded file, whoever made it. */
export function openWorkspaceFiles(tokens: () => WorkspaceTokens, changed: (root: string) => void): WorkspaceFiles {
  const loaded = new Map<string, Loaded>()
  let timer: NodeJS.Timeout | undefined
  let closed = false

  async function read(root: string): Promise<Loaded> {
    const path = workspaceFilePath(root)
    const { stamp, refusal } = await statusOf(path)
    const before = loaded.get(root)?.declaration ?? emptyDeclaration
    if (stamp === 'absent') return { declaration: emptyDeclaration, error: undefined, stamp }
    if (refusal !== undefined) return { declaration: emptyDeclaration, error: `${path} ${refusal}`, stamp }
    try {
      const declaration = await readDeclaration(await readFile(path, 'utf8'), root, tokens())
      return { declaration, error: undefined, stamp }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return { declaration: before, error: message, stamp }
    }
  }

  async function load(root: string): Promise<WorkspaceFileState> {
    const state = await read(root)
    if (!closed) {
      loaded.set(root, state)
      watch()
    }
    return state
  }

  async function look(): Promise<void> {
    for (const [root, { stamp }] of loaded) {
      if ((await statusOf(workspaceFilePath(root))).stamp === stamp) continue
      const state = await read(root)
      if (closed || !loaded.has(root)) continue
      loaded.set(root, state)
      changed(root)
    }
  }

  function watch(): void {
    if (closed || timer !== undefined || loaded.size === 0) return
    timer = setTimeout(() => {
      void look().finally(() => {
        timer = undefined
        watch()
      })
    }, pollMs)
    timer.unref()
  }

  return {
    load,
    get: (root) => loaded.get(root),
    roots: () => [...loaded.keys()],
    peek: read,
    unload: (root) => void loaded.delete(root),
    async reload() {
      for (const root of Array.from(loaded.keys())) {
        await load(root)
        changed(root)
      }
    },
    async change(root, edit) {
      const path = workspaceFilePath(root)
      await assertInside(root, path)
      await mkdir(dirname(path), { recursive: true })
      const { refusal } = await statusOf(path)
      if (refusal !== undefined) throw new WorkspaceEditError('unusable-file', `${path} ${refusal}`)
      const lock = await acquireLock(`${path}.lock`, lockWaitMs)
      try {
        await sweepDrafts(path)
        const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return '{}'
          throw error
        })
        const document = readWorkspaceDocument(text)
        edit(document)
        await replaceFile(path, writeWorkspaceDocument(document))
      } finally {
        await lock.release()
      }
      if (!loaded.has(root)) return
      await load(root)
      changed(root)
    },
    close() {
      closed = true
      clearTimeout(timer)
      loaded.clear()
    },
  }
}
