import { JsonRpcTransportError, textOfThrown } from './errors.ts'
import type { ByteOutput } from './streams.ts'

export interface LineWriterOptions {
  /** The output failed, ended or was destroyed. Called once. */
  onGone(reason: Error): void
}

/** Beyond this length (UTF-16 units) the lines of one turn are not gathered any further. */
const BATCH_LENGTH = 65_536

/** `then` on it runs a function after the current one; much cheaper than Node's `queueMicrotask`. */
const microtask = Promise.resolve()

/**
 * Lines → output, in order. The first line of a turn of the event loop leaves at once; the ones that follow in the same
 * turn leave together in one write. Nothing is ever dropped while the output lives; a producer that can wait looks at
 * {@link LineWriter.needsDrain}.
 */
export class LineWriter {
  readonly #output: ByteOutput
  readonly #options: LineWriterOptions
  #batch = ''
  #gathering = false
  #refused = false
  #gone: Error | undefined
  #listening = false
  #released = false
  #drainWaiters: (() => void)[] = []
  readonly #flushes = new Set<(reason: Error) => void>()

  constructor(output: ByteOutput, options: LineWriterOptions) {
    this.#output = output
    this.#options = options
  }

  /** Why nothing can be sent any more; `undefined` while the output lives. */
  get gone(): Error | undefined {
    if (this.#gone === undefined && this.#output.writable === false) this.#onClosed()
    return this.#gone
  }

  /** The output holds as much as its high-water mark: what is written now waits in memory. */
  get needsDrain(): boolean {
    if (this.#gone !== undefined) return false
    const { writableNeedDrain, writableLength = 0, writableHighWaterMark = BATCH_LENGTH } = this.#output
    return (writableNeedDrain ?? this.#refused) || writableLength + this.#batch.length >= writableHighWaterMark
  }

  /** Begins to watch the output for errors and its end. */
  listen(): void {
    if (this.#listening) return
    this.#listening = true
    this.#output.on('error', this.#onError)
    this.#output.on('drain', this.#onDrain)
    this.#output.on('finish', this.#onClosed)
    this.#output.on('close', this.#onClosed)
  }

  /** Writes a line that ends with its newline. Returns false when the output is gone. */
  write(line: string | Uint8Array): boolean {
    if (this.gone !== undefined) return false
    this.listen()
    if (!this.#gathering) {
      this.#gathering = true
      void microtask.then(this.#endTurn)
      this.#send(line)
      return true
    }
    if (typeof line !== 'string' || this.#batch.length + line.length > BATCH_LENGTH) this.#sendBatch()
    if (typeof line === 'string' && line.length <= BATCH_LENGTH) this.#batch += line
    else this.#send(line)
    return true
  }

  /** Settles when every line before it was handed over to the operating system, or rejects when that failed. */
  flush(): Promise<void> {
    const gone = this.gone
    if (gone !== undefined) return Promise.reject(gone)
    this.listen()
    this.#sendBatch()
    return new Promise((resolve, reject) => {
      this.#flushes.add(reject)
      this.#output.write('', (error) => {
        this.#flushes.delete(reject)
        if (error) reject(error)
        else resolve()
      })
    })
  }

  /** Resolves when {@link needsDrain} is false, also because the output is gone. */
  drained(): Promise<void> {
    if (this.gone !== undefined) return Promise.resolve()
    this.listen()
    this.#sendBatch()
    if (!this.needsDrain) return Promise.resolve()
    return new Promise((resolve) => this.#drainWaiters.push(resolve))
  }

  /** Sends what was gathered and stops watching, as soon as nothing of ours is under way that could still fail. */
  release(): void {
    this.#sendBatch()
    this.#wakeDrainWaiters()
    if (!this.#listening) return
    this.#output.off('drain', this.#onDrain)
    this.#output.off('finish', this.#onClosed)
    const underWay = (this.#output.writableLength ?? 0) > 0 || this.#flushes.size > 0
    this.#released = true
    if (underWay && this.gone === undefined) this.#output.write('', (error) => error ?? this.#unlisten())
    else this.#unlisten()
  }

  #unlisten(): void {
    this.#listening = false
    this.#output.off('close', this.#onClosed)
    this.#output.off('error', this.#onError)
  }

  #endTurn = (): void => {
    this.#gathering = false
    this.#sendBatch()
  }

  #sendBatch(): void {
    if (this.#batch === '') return
    const batch = this.#batch
    this.#batch = ''
    if (this.gone === undefined) this.#send(batch)
  }

  #send(text: string | Uint8Array): void {
    try {
      if (!this.#output.write(text)) this.#refused = true
    } catch (error) {
      this.#end(error instanceof Error ? error : new Error(textOfThrown(error), { cause: error }))
    }
  }

  #onDrain = (): void => {
    this.#refused = false
    this.#wakeDrainWaiters()
  }

  #onError = (error: Error): void => this.#end(error)

  #onClosed = (): void => this.#end(outputClosed())

  #end(reason: Error): void {
    if (this.#released) this.#unlisten()
    if (this.#gone !== undefined) return
    this.#gone = reason
    this.#batch = ''
    for (const reject of this.#flushes) reject(reason)
    this.#flushes.clear()
    this.#wakeDrainWaiters()
    this.#options.onGone(reason)
  }

  #wakeDrainWaiters(): void {
    for (const wake of this.#drainWaiters.splice(0)) wake()
  }
}

function outputClosed(): JsonRpcTransportError {
  return new JsonRpcTransportError('output-closed', 'JSON-RPC output closed')
}
