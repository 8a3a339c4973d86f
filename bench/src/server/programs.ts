import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface Program extends AsyncDisposable {
  readonly url: string
  readonly token: string
  /** Bytes in use after a collection, and resident ones. */
  memory(): Promise<{ readonly used: number; readonly rss: number }>
}

export type ProgramName = 'ours' | 'sdk' | 'constant'

/** Starts a server program of this bench in a process of its own. */
export async function startProgram(name: ProgramName, args: readonly string[] = []): Promise<Program> {
  const child = fork(join(import.meta.dirname, `${name}.program.ts`), args, {
    execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const { url, token } = await answerOf<{ url: string; token: string }>(child)
  return {
    url,
    token,
    async memory() {
      const answer = answerOf<{ used: number; rss: number }>(child)
      child.send('memory')
      return answer
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController()
  const onExit = (): void => ended.abort(new Error('the program ended'))
  child.once('exit', onExit)
  try {
    const [message] = (await once(child, 'message', { signal: ended.signal })) as [T]
    return message
  } finally {
    child.off('exit', onExit)
  }
}
