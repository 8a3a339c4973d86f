import { mkdir, readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startChild } from './child.ts'
import { hostEnvironment } from './environment.ts'
import { dshEntry, nodeBinary, pluginFolder, repositoryRoot } from './paths.ts'
import type { PluginName } from './paths.ts'

/** `link` runs the checkout in place; `tarball` packs it and installs the copy, as a user gets it from a registry. */
export type InstallForm = 'link' | 'tarball'

async function run(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  await using child = startChild(nodeBinary, args, { cwd, env, input: '' })
  const { code } = await child.exited
  if (code !== 0) throw new Error(`${args.join(' ')} exited ${code}\n${child.stdout()}${child.stderr()}`)
}

/** Packs a plugin with pnpm into a temporary folder below the home and returns the tarball's path. */
async function pack(home: string, plugin: PluginName): Promise<string> {
  const pnpm = join(repositoryRoot, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs')
  const folder = join(home, 'tarballs', plugin)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await run([pnpm, 'pack', '--pack-destination', folder], pluginFolder(plugin), hostEnvironment(home))
  const [file] = await readdir(folder)
  if (file === undefined) throw new Error(`pnpm pack left no tarball in ${folder}`)
  return join(folder, file)
}

async function installed(home: string, profile: string): Promise<ReadonlySet<string>> {
  try {
    const text = await readFile(join(home, 'profiles', profile, 'package.json'), 'utf8')
    const manifest = JSON.parse(text) as { dependencies?: Record<string, string> }
    return new Set(Object.keys(manifest.dependencies ?? {}))
  } catch {
    // The first `dsh plugin` call makes the profile.
    return new Set()
  }
}

/** Adds plugins to a profile with `dsh plugin add`; those already there stay as they are. */
export async function installPlugins(
  home: string,
  profile: string,
  plugins: readonly PluginName[],
  form: InstallForm = 'link',
): Promise<void> {
  const present = await installed(home, profile)
  const sources: string[] = []
  for (const plugin of plugins) {
    if (present.has(`@dsh-mcp/${plugin}`)) continue
    sources.push(form === 'link' ? pluginFolder(plugin) : await pack(home, plugin))
  }
  for (const source of sources) await addSource(home, profile, source)
}

/** Adds one plugin from any source that `dsh plugin add` takes: a folder, a tarball, a git URL. Rejects with what it said. */
export async function addSource(home: string, profile: string, source: string): Promise<void> {
  await run([dshEntry, 'plugin', '--profile', profile, 'add', source], repositoryRoot, hostEnvironment(home))
}

/** Removes a package of ours from a profile with `dsh plugin remove`. */
export async function removePlugin(home: string, profile: string, plugin: PluginName | 'sdk-protocol'): Promise<void> {
  const args = [dshEntry, 'plugin', '--profile', profile, 'remove', `@dsh-mcp/${plugin}`]
  await run(args, repositoryRoot, hostEnvironment(home))
}
