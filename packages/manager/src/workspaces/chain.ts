import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname } from 'node:path'

/**
 * The directories whose workspace files count for a session, innermost first: its working directory, and every directory
 * above it up to, but without, the user's home directory and the root of the file system. `cwd` is a real path.
 */
export function workspaceChain(cwd: string, home: string): readonly string[] {
  const chain = [cwd]
  for (let directory = dirname(cwd); directory !== home; directory = dirname(directory)) {
    if (dirname(directory) === directory) break
    chain.push(directory)
  }
  return cwd === home ? [cwd] : chain
}

/**
 * The chain of a session's working directory as the session names it (symlinks and all). A directory that does not exist
 * has no workspace.
 */
export async function resolveWorkspaceChain(cwd: string | undefined): Promise<readonly string[]> {
  if (cwd === undefined) return []
  try {
    const [real, home] = await Promise.all([realpath(cwd), realpath(homedir())])
    return workspaceChain(real, home)
  } catch {
    // The directory is gone, or not ours to read: no workspace.
    return []
  }
}
