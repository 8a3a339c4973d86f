import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { JsonRpcLineTransport } from '@dsh-mcp/sdk-protocol'
import { alternate, contextRow, goalRow, type Row } from '../../harness/index.ts'
import type { SubjectName } from './subjects.ts'

const LINE_BYTES = 64 << 20
const NOTIFICATIONS = 1_000_000

const oneLineProgram = fileURLToPath(new URL('one-line.program.ts', import.meta.url))
const slowReaderProgram = fileURLToPath(new URL('slow-reader.program.ts', import.meta.url))

function startProgram(...args: string[]) {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--expose-gc', ...args])
}

/** Resident memory above idle, at its highest while one long line arrives, as a multiple of the line. */
async function peakOfOneLine(name: SubjectName, line: Buffer): Promise<number> {
  const child = startProgram(oneLineProgram, name)
  await once(child.stderr, 'data')
  child.stdin.end(line)
  return Number(await text(child.stdout)) / line.length
}

interface SlowReading {
  readonly delivered: number
  /** Most bytes that waited in the output at a time, as a multiple of its high-water mark. */
  readonly peakOfHighWater: number
  readonly residentBytes: number
}

async function notifySlowReader(): Promise<SlowReading> {
  const child = startProgram(slowReaderProgram)
  const answer = text(child.stdout)
  const transport = new JsonRpcLineTransport(new PassThrough(), child.stdin)
  const idle = process.memoryUsage.rss()
  let waiting = 0
  let resident = idle
  for (let n = 0; n < NOTIFICATIONS; n++) {
    transport.notify('session.event', { n })
    if (child.stdin.writableLength > waiting) waiting = child.stdin.writableLength
    if (!transport.needsDrain) continue
    if (n % 64 === 0) resident = Math.max(resident, process.memoryUsage.rss())
    await transport.drained()
  }
  await transport.flush()
  transport.close()
  child.stdin.end()
  return {
    delivered: Number(await answer),
    peakOfHighWater: waiting / child.stdin.writableHighWaterMark,
    residentBytes: resident - idle,
  }
}

export async function memory(progress: (text: string) => void): Promise<readonly Row[]> {
  const start = '{"jsonrpc":"2.0","method":"note","params":{"text":"'
  const line = Buffer.from(`${start}${'x'.repeat(LINE_BYTES - start.length - 4)}"}}\n`)
  const peaks = await alternate({ ours: () => peakOfOneLine('ours', line) }, 5, 0)
  progress(`64 MiB line: ${peaks.samples.ours.map((peak) => peak.toFixed(2)).join(', ')} × resident above idle`)
  const slow = await notifySlowReader()
  progress(`slow reader: ${slow.delivered} in order, ${(slow.residentBytes / 1e6).toFixed(1)} MB resident above idle`)
  return [
    goalRow('peak memory while one 64 MiB line arrives, of the line', peaks.median('ours'), '×', { atMost: 4.5 }),
    goalRow('1 M notifications to a slow reader: in order', slow.delivered, 'of 1000000', { atLeast: NOTIFICATIONS }),
    goalRow('1 M notifications to a slow reader: waiting, of the high-water mark', slow.peakOfHighWater, '×', {
      atMost: 2,
    }),
    contextRow('1 M notifications to a slow reader: resident above idle', slow.residentBytes / (1 << 20), 'MiB'),
  ]
}
