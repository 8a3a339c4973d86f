import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { hostEnvironment, startChild } from '@dsh-mcp/testkit'
import { checkout, trackedFiles } from './read.ts'

/** A folder as a newcomer has it: `dsh-mcp` is a clone that is set up, `your-project` stands beside it, `home` is the user's. */
export interface CleanCheckout extends AsyncDisposable {
  readonly clone: string
  readonly project: string
  /** `$HOME`; `DSH_HOME` is not set. */
  readonly home: string
  readonly env: NodeJS.ProcessEnv
  /** Runs a script in the clone as a shell would, and resolves with what it printed. Rejects when a command fails. */
  shell(script: string): Promise<string>
}

/** Our own `node_modules`, linked entry by entry: what the set-up writes beside them stays in the copy. */
async function linkModules(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const name of await readdir(from)) {
    if (name === '.setup-stamp') await cp(join(from, name), join(to, name))
    else await symlink(join(from, name), join(to, name))
  }
}

async function copyCheckout(to: string): Promise<void> {
  for (const path of trackedFiles) {
    await mkdir(dirname(join(to, path)), { recursive: true })
    await cp(join(checkout, path), join(to, path))
  }
  const packages = (await readdir(join(checkout, 'packages'))).map((name) => join('packages', name))
  for (const path of ['.', 'e2e', 'bench', ...packages]) {
    const modules = join(path, 'node_modules')
    if (existsSync(join(checkout, modules))) await linkModules(join(checkout, modules), join(to, modules))
    if (existsSync(join(checkout, path, 'lib'))) {
      await cp(join(checkout, path, 'lib'), join(to, path, 'lib'), { recursive: true })
    }
  }
}

/** The user's environment with a home of its own; package managers keep their stores, so that nothing is loaded anew. */
function environment(home: string): NodeJS.ProcessEnv {
  const own = homedir()
  return {
    ...hostEnvironment(home),
    HOME: home,
    DSH_HOME: undefined,
    XDG_DATA_HOME: join(own, '.local', 'share'),
    XDG_CACHE_HOME: join(own, '.cache'),
    npm_config_userconfig: join(own, '.npmrc'),
    npm_config_cache: join(own, '.npm'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  }
}

export async function cleanCheckout(): Promise<CleanCheckout> {
  const folder = await mkdtemp(join(tmpdir(), 'dsh-mcp-newcomer-'))
  const [clone, project, home] = ['dsh-mcp', 'your-project', 'home'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const path of [project, home]) await mkdir(path)
  await copyCheckout(clone)
  const env = environment(home)
  return {
    clone,
    project,
    home,
    env,
    async shell(script) {
      await using child = startChild('sh', ['-e', '-c', script], { cwd: clone, env, input: '' })
      const { code } = await child.exited
      if (code !== 0) throw new Error(`exit ${code} of\n${script}\n${child.stdout()}${child.stderr()}`)
      return child.stdout()
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
}
