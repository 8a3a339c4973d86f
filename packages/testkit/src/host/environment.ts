import { mkdir } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { nodeBinary, repositoryRoot } from './paths.ts'

/**
 * The environment of a host: our own without what would change its behaviour (`DSH_*`, API keys), the given home, and a
 * PATH that starts with this Node and the repository's tools (`dsh plugin` calls pnpm).
 */
export function hostEnvironment(home: string, extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(DSH_|DEEPSEEK_|VITEST|NODE_OPTIONS$|NODE_PATH$|npm_)/.test(name),
  )
  const path = [dirname(nodeBinary), join(repositoryRoot, 'node_modules', '.bin'), process.env.PATH ?? '']
  return { ...Object.fromEntries(inherited), DSH_HOME: home, PATH: path.join(delimiter), ...extra }
}

/**
 * The same for a host that is about to run, with its temporary files below the home: DSH 0.1.0-rc.8 leaves a folder for
 * spilled output there at each start, which is to go with the home.
 */
export async function runningHostEnvironment(home: string, extra: NodeJS.ProcessEnv = {}): Promise<NodeJS.ProcessEnv> {
  const folder = join(home, 'tmp')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return hostEnvironment(home, { TMPDIR: folder, ...extra })
}
