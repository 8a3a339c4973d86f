import { open, realpath, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { draftPath } from './drafts.ts'

async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(dirname(path), 'r')
    await folder.sync()
  } catch {
    // Some systems (Windows) cannot sync a folder; the file itself is on disk.
  }
}

/**
 * Replaces a file as a whole: temporary file beside it (mode 0600), fsync, rename. A symbolic link stays and its target
 * is replaced. On failure the old content stands and the temporary file is gone.
 */
export async function replaceFile(path: string, content: string): Promise<void> {
  const target = await realpath(path).catch(() => path)
  const draft = draftPath(target)
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(target)
}
