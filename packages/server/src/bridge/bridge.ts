import type { Agent } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { findTarget } from './endpoint.ts'
import type { EndpointSource } from './command-line.ts'
import { forward } from './forward.ts'
import { createLineReader } from './line-reader.ts'
import { readLine, requestKey } from './line.ts'
import type { Line } from './line.ts'

export interface BridgeOptions {
  readonly source: EndpointSource
  readonly agent: Agent
  readonly input: Readable
  readonly output: Writable
  /** How long requests that still run may answer after the end of the input, in milliseconds. */
  readonly graceMs: number
}

/** The code of errors that the bridge itself makes; none of MCP's own. */
const bridgeError = -32000
const parseError = -32700

/**
 * Carries every line to the endpoint and every message of the endpoint back, many at once. Resolves when the input has
 * ended and its requests are answered, or the grace is over, or the output is gone.
 */
export function runBridge({ source, agent, input, output, graceMs }: BridgeOptions): Promise<void> {
  return new Promise((resolve) => {
    const running = new Map<string, () => void>()
    let clientName: string | undefined
    let ended = false

    const write = (message: Buffer | string): void => {
      const room =
        typeof message === 'string' ? output.write(`${message}\n`) : output.write(Buffer.concat([message, newline]))
      if (!room && !input.isPaused()) {
        input.pause()
        output.once('drain', () => input.resume())
      }
    }
    const finish = (): void => {
      for (const giveUp of running.values()) giveUp()
      running.clear()
      resolve()
    }
    const answerError = (id: unknown, code: number, message: string): void => {
      write(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }))
    }

    const carry = (line: Line): void => {
      clientName = line.clientName ?? clientName
      if (line.cancels !== undefined) {
        running.get(line.cancels)?.()
        running.delete(line.cancels)
      }
      const target = findTarget(source)
      if ('problem' in target) {
        if (line.expectsAnswer) answerError(line.id, bridgeError, target.problem)
        return
      }
      const key = line.expectsAnswer ? requestKey(line.id) : undefined
      const giveUp = forward(line, target, {
        agent,
        clientName,
        write,
        done: (problem) => {
          if (key !== undefined && running.get(key) === giveUp) running.delete(key)
          if (problem !== undefined && line.expectsAnswer) answerError(line.id, bridgeError, problem)
          if (ended && running.size === 0) finish()
        },
      })
      if (key !== undefined) running.set(key, giveUp)
    }

    const lines = createLineReader(
      (bytes) => {
        if (isBlank(bytes)) return
        const line = readLine(bytes)
        if (line === undefined) answerError(null, parseError, 'Parse error: the line is not JSON')
        else carry(line)
      },
      () => answerError(null, parseError, 'Parse error: the line is too long'),
    )
    input.on('data', lines.push)
    input.on('end', () => {
      lines.end()
      ended = true
      if (running.size === 0) finish()
      else setTimeout(finish, graceMs)
    })
    output.on('error', finish)
  })
}

const newline = Buffer.from('\n')

function isBlank(line: Buffer): boolean {
  return line.length === 0 || (line.length < 16 && line.toString('latin1').trim() === '')
}
