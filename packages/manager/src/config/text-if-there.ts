import { readFile } from 'node:fs/promises'

/** The text of a file, as UTF-8; `undefined` when there is no such file. Every other failure is thrown. */
export async function textIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
