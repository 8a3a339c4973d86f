import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'

/** How a child ended: its exit code, or the signal that ended it. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A child process of a test: what it printed, how it ended, and two ways to end it. */
export interface Child extends AsyncDisposable {
  readonly pid: number
  readonly process: ChildProcess
  /** All of stdout so far. */
  stdout(): string
  /** All of stderr so far. */
  stderr(): string
  readonly exited: Promise<Exit>
  /** SIGTERM, then SIGKILL to its group after `graceMs` (default 10 000). */
  stop(graceMs?: number): Promise<Exit>
  /** SIGKILL to the process alone, as a crash would. */
  kill(): Promise<Exit>
  /** Resolves with the first match in stdout; rejects when the child ends first or after `timeoutMs` (default 60 000). */
  waitForOutput(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>
}

const running = new Set<ChildProcess>()

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group is already gone.
  }
}

function killRunning(): void {
  for (const child of running) killGroup(child)
}

process.on('exit', killRunning)
// A test process that is ended from outside, as one that hangs is, must not leave its children either.
process.once('SIGTERM', () => {
  // Whoever listens too ends its children in its own way.
  if (process.listenerCount('SIGTERM') > 0) return
  killRunning()
  process.kill(process.pid, 'SIGTERM')
})

/** Starts a program in a process group of its own. Whatever a test forgets is ended when the test process exits. */
export function startChild(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; input?: string } = {},
): Child {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  running.add(child)
  let out = ''
  let err = ''
  const listeners = new Set<() => void>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
    for (const listener of listeners) listener()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  child.stdin.on('error', () => {
    // The child closed its input first; its exit code tells the rest.
  })
  if (options.input !== undefined) child.stdin.end(options.input)
  const exited = new Promise<Exit>((resolve) => {
    child.on('error', (error) => {
      err += String(error)
      running.delete(child)
      resolve({ code: null, signal: null })
    })
    child.on('close', (code, signal) => {
      running.delete(child)
      resolve({ code, signal })
      for (const listener of listeners) listener()
    })
  })
  const ended = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined

  async function stop(graceMs = 10_000): Promise<Exit> {
    if (!ended()) child.kill('SIGTERM')
    const timer = setTimeout(() => killGroup(child), graceMs)
    try {
      return await exited
    } finally {
      clearTimeout(timer)
      killGroup(child)
    }
  }

  function waitForOutput(pattern: RegExp, timeoutMs = 60_000): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const settle = (action: () => void) => {
        clearTimeout(timer)
        listeners.delete(look)
        action()
      }
      const report = (what: string) =>
        settle(() =>
          reject(new Error(`${what} before ${String(pattern)} was printed.\nstdout: ${out}\nstderr: ${err}`)),
        )
      const look = () => {
        const match = pattern.exec(out)
        if (match) settle(() => resolve(match))
        else if (ended()) report(`the program ended (${child.exitCode ?? child.signalCode})`)
      }
      const timer = setTimeout(() => report(`${timeoutMs} ms passed`), timeoutMs)
      listeners.add(look)
      void exited.then(look)
      look()
    })
  }

  return {
    pid: child.pid ?? -1,
    process: child,
    stdout: () => out,
    stderr: () => err,
    exited,
    stop,
    async kill() {
      if (!ended()) child.kill('SIGKILL')
      return exited
    },
    waitForOutput,
    async [Symbol.asyncDispose]() {
      await stop(3000)
    },
  }
}
