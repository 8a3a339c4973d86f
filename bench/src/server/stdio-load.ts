import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { percentiles } from './http-load.ts'
import type { Load } from './http-load.ts'

type Child = ChildProcessByStdio<Writable, Readable, null>

/** A stdio proxy under load: it gets lines and answers lines. */
export interface StdioPeer extends AsyncDisposable {
  /** Sends `line(id)` with fresh ids, `concurrency` at a time, for `durationMs`. */
  load(line: (id: number) => string, concurrency: number, durationMs: number): Promise<Load>
  /** Sends one line and resolves with the first message whose id is `id`. */
  ask(line: string, id: unknown): Promise<void>
}

export function startStdioPeer(args: readonly string[], env: NodeJS.ProcessEnv = {}): StdioPeer {
  const child: Child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  })
  const waiting = new Map<unknown, () => void>()
  let rest = ''
  let failure: Error | undefined
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { id, error } = JSON.parse(line) as { id?: unknown; error?: unknown }
      if (error !== undefined) failure = new Error(line)
      waiting.get(id)?.()
      waiting.delete(id)
    }
  })
  const ask = async (line: string, id: unknown): Promise<void> => {
    const answered = new Promise<void>((resolve) => waiting.set(id, resolve))
    child.stdin.write(`${line}\n`)
    await answered
    if (failure !== undefined) throw failure
  }
  let lastId = 1000
  return {
    ask,
    async load(line, concurrency, durationMs) {
      const latencies: number[] = []
      const started = performance.now()
      const until = started + durationMs
      const worker = async (): Promise<void> => {
        while (performance.now() < until) {
          const id = ++lastId
          const sent = performance.now()
          await ask(line(id), id)
          latencies.push(performance.now() - sent)
        }
      }
      await Promise.all(Array.from({ length: concurrency }, worker))
      const elapsed = performance.now() - started
      return { perSecond: (latencies.length / elapsed) * 1000, ...percentiles(latencies) }
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.stdin.end()
      const timer = setTimeout(() => child.kill('SIGKILL'), 3_000)
      await exited
      clearTimeout(timer)
    },
  }
}
