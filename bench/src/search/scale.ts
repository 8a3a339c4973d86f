import { spawn } from 'node:child_process'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** What an index of 10 000 tools costs, each number the median of its runs. */
export interface Scale {
  readonly buildMs: number
  readonly changeMs: number
  readonly queryP95Ms: number
  readonly memoryMiB: number
}

const program = fileURLToPath(new URL('scale.program.ts', import.meta.url))

/** Measures in a process of its own, so that nothing is warm or in memory beforehand. */
export async function measureScale(engine: 'ours' | 'minisearch'): Promise<Scale> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--expose-gc', program, engine], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return (await json(child.stdout)) as Scale
}
