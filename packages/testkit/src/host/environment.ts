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
