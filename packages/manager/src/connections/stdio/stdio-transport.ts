import type { ChildProcess } from 'node:child_process'
import { stat } from 'node:fs/promises'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import type { AttemptLog } from '../../diagnostics/index.ts'
import { cancelledId } from '../tap.ts'
import { notFoundMessage } from './command-line.ts'
import { FrameReader, idOfDropped } from './frames.ts'
import type { Frame } from './frames.ts'
import type { OrphanGuard } from './orphan-guard.ts'
import { endProcessTree } from './process-tree.ts'
import { StderrTail } from './stderr-tail.ts'

/** What to start, and how. */
export interface StdioServerProcess {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Longest message accepted, in bytes. */
  readonly frameLimit: number
  readonly log: AttemptLog
  readonly guard: OrphanGuard
}

/** Marks a response made up here for one that was dropped. */
export const frameTooLarge = 'dsh-mcp/frame-too-large'

/** How long output may still come after the process has ended, when a descendant keeps the pipe open. */
const lateOutputMs = 250
const keptNoise = 200

function closedEarly(): Error {
  return new Error('closed while the process was starting')
}

/** One MCP server as a child process, over newline-delimited JSON-RPC (MCP, stdio transport). */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: Transport['onmessage']
  /** Never a stream: the error output is always drained here. The engine reads this property as the mark of stdio. */
  readonly stderr = null
  readonly #process: StdioServerProcess
  readonly #tail = new StderrTail()
  readonly #frames: FrameReader
  readonly #inFlight = new Set<string | number>()
  #child: ChildProcess | undefined
  #ended = false
  #closing: Promise<void> | undefined
  /** Whether the process ended without being asked to. */
  #left = false
  #noise = 0
  #noiseSample = ''
  #exit: string | undefined

  constructor(process: StdioServerProcess) {
    this.#process = process
    this.#frames = new FrameReader(process.frameLimit)
  }

  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  /** How the process ended by itself, with the end of its error output; nothing while it runs or when it was ended. */
  get exit(): string | undefined {
    return this.#exit
  }

  /** The end of the error output, redacted. */
  get stderrTail(): string {
    return this.#tail.text((text) => this.#process.log.redact(text))
  }

  /** Lines on standard output that were no JSON, in words; nothing when there were none. */
  get noise(): string | undefined {
    if (this.#noise === 0) return undefined
    const lines = this.#noise === 1 ? '1 line' : `${this.#noise} lines`
    return `${lines} on standard output that are no JSON were skipped, the first: ${this.#noiseSample}`
  }

  async start(): Promise<void> {
    const { command, args, env, cwd, guard } = this.#process
    const folder = await stat(cwd).catch(() => undefined)
    if (folder?.isDirectory() !== true) throw new Error(`the working directory ${cwd} does not exist`)
    const { default: spawn } = await import('cross-spawn')
    if (this.#closing !== undefined) throw closedEarly()
    const child = spawn(command, [...args], {
      cwd,
      env: { ...env },
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    })
    // Known before it is told to run: who closes meanwhile ends it.
    this.#child = child
    if (child.pid !== undefined) guard.add(child.pid)
    child.stdin?.on('error', (error) => this.onerror?.(error))
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', (error: NodeJS.ErrnoException) => {
        const missing = error.code === 'ENOENT' || error.code === 'EACCES'
        const place = { env, cwd, platform: process.platform }
        reject(missing ? new Error(notFoundMessage(command, place), { cause: error }) : error)
      })
    })
    if (this.#closing !== undefined) throw closedEarly()
    child.on('error', (error) => this.onerror?.(error))
    child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk))
    child.stderr?.on('data', (chunk: Buffer) => this.#tail.push(chunk))
    child.once('exit', (code, signal) => {
      this.#left ||= this.#closing === undefined
      const late = setTimeout(() => this.#finish(code, signal), lateOutputMs)
      child.once('close', () => {
        clearTimeout(late)
        this.#finish(code, signal)
      })
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (stdin === null || stdin === undefined || this.#ended || !stdin.writable) {
      return Promise.reject(
        new Error(`the process is not running${this.#exit === undefined ? '' : ` (${this.#exit})`}`),
      )
    }
    if ('method' in message && 'id' in message && message.id !== undefined) this.#inFlight.add(message.id)
    else if ('method' in message && message.method === 'notifications/cancelled') {
      this.#inFlight.delete(cancelledId(message) ?? '')
    }
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  }

  close(): Promise<void> {
    // A broken pipe is often noticed before the end of the process behind it.
    const stdin = this.#child?.stdin
    if (this.#closing === undefined && stdin !== null && stdin !== undefined) this.#left ||= stdin.errored !== null
    this.#closing ??= this.#end()
    return this.#closing
  }

  async #end(): Promise<void> {
    const child = this.#child
    if (child === undefined) {
      this.onclose?.()
      return
    }
    await endProcessTree(child)
    this.#drop()
    this.#finish(child.exitCode, child.signalCode)
  }

  #drop(): void {
    if (this.#child?.pid !== undefined) this.#process.guard.drop(this.#child.pid)
  }

  #read(chunk: Buffer): void {
    for (const frame of this.#frames.push(chunk)) this.#take(frame)
  }

  #take(frame: Frame): void {
    if (frame.kind === 'too-large') {
      this.#fail(frame)
      return
    }
    let value: unknown
    try {
      value = JSON.parse(frame.text)
    } catch {
      this.#count(frame.text)
      return
    }
    for (const message of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof message !== 'object' || message === null) {
        this.#count(frame.text)
        continue
      }
      const { id } = message as { id?: string | number }
      if (id !== undefined && !('method' in message)) this.#inFlight.delete(id)
      this.onmessage?.(message as JSONRPCMessage)
    }
  }

  #count(text: string): void {
    this.#noise++
    if (this.#noise === 1) this.#noiseSample = this.#process.log.redact(text).slice(0, keptNoise)
  }

  #fail(frame: Frame & { kind: 'too-large' }): void {
    const message = `a message of ${frame.bytes} bytes is beyond the limit of ${this.#process.frameLimit} and was dropped`
    const known = idOfDropped(frame.head, frame.tail)
    const only = this.#inFlight.size === 1 ? [...this.#inFlight][0] : undefined
    const id = known !== undefined && this.#inFlight.has(known) ? known : only
    this.#process.log.record({ phase: 'tools/call', detail: message })
    if (id === undefined) {
      this.onerror?.(new Error(message))
      return
    }
    this.#inFlight.delete(id)
    this.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32_000, message, data: frameTooLarge } })
  }

  #finish(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#ended) return
    this.#ended = true
    const last = this.#frames.end()
    if (last !== undefined) this.#take(last)
    if (!this.#left) {
      this.onclose?.()
      return
    }
    const how = signal === null ? `exited with code ${code ?? 'unknown'}` : `ended by ${signal}`
    const tail = this.stderrTail
    this.#exit = tail === '' ? `${how}, nothing on stderr` : `${how}; end of stderr: ${tail}`
    const detail = tail === '' ? this.#exit : `${how}; end of stderr: …${tail.slice(-440)}`
    this.#process.log.record({ phase: 'stdio-exit', status: code ?? 0, detail })
    if (this.#closing === undefined) {
      // The root is gone, but others of its group may live on.
      void endProcessTree(this.#child!).then(() => this.#drop())
    }
    this.onclose?.()
  }
}
