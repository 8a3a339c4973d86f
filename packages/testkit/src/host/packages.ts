import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { dshEntry } from './paths.ts'

/**
 * Imports a package of the installed host (`@deepseek-ai/dsh-tools`, …), to measure our work against the host's own code.
 * The caller states the shape it relies on.
 */
export async function importHostPackage<T>(name: string): Promise<T> {
  const require = createRequire(realpathSync(dshEntry))
  const loaded: T = await import(pathToFileURL(realpathSync(require.resolve(name))).href)
  return loaded
}
