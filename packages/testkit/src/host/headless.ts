import { startChild } from './child.ts'
import type { Exit } from './child.ts'
import { runningHostEnvironment } from './environment.ts'
import { installPlugins } from './install.ts'
import type { WebHostOptions } from './web.ts'
import { patchFlags } from './patches.ts'
import { dshEntry, nodeBinary } from './paths.ts'

export interface HeadlessRun extends Exit {
  /** What the run printed: the scripted model's last answer. */
  readonly stdout: string
  readonly stderr: string
}

/** Runs one task in the real headless profile with the scripted model, to its end. */
export async function runHeadless(options: Omit<WebHostOptions, 'port'> & { task: string }): Promise<HeadlessRun> {
  const { home, plugins = [], form = 'link', model = 'scripted', patches = [] } = options
  await installPlugins(home, 'headless', plugins, form)
  const flags = await patchFlags(home, patches, model)
  await using child = startChild(nodeBinary, [dshEntry, '--profile', 'headless', ...flags, options.task], {
    cwd: options.cwd ?? home,
    env: await runningHostEnvironment(home, options.env),
    input: '',
  })
  const exit = await child.exited
  return { ...exit, stdout: child.stdout(), stderr: child.stderr() }
}
