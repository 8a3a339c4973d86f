import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder of the checkout this package stands in. */
export const repositoryRoot: string = fileURLToPath(new URL('../../../..', import.meta.url))

/** The Node binary that runs hosts and programs of the tests: the one running us. */
export const nodeBinary: string = process.execPath

/** Entry of the `dsh` command line, to be run by {@link nodeBinary}. */
export const dshEntry: string = join(repositoryRoot, 'node_modules', '@deepseek-ai', 'dsh', 'lib', 'bin.js')

/** The published packages a host can be given, by the name of their folder. */
export type PluginName = 'manager' | 'server'

/** Folder of a plugin package in this checkout. */
export function pluginFolder(plugin: PluginName): string {
  return join(repositoryRoot, 'packages', plugin)
}
