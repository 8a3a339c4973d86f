import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { contextRow, goalRow, median } from '../../harness/index.ts'
import type { Row } from '../../harness/index.ts'
import { percentiles } from './http-load.ts'
import { startProgram } from './programs.ts'
import { callRequest } from './requests.ts'

const waiting = 1_000
const rounds = 5

/** A call that waits: when its stream opened and when each comment came. */
interface Wait {
  readonly socket: Socket
  readonly comments: number[]
  opened: number
}

function startWait(url: string, request: Buffer): Promise<Wait> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request))
    const wait: Wait = { socket, comments: [], opened: 0 }
    socket.once('error', reject)
    socket.on('data', (chunk: Buffer) => {
      const now = performance.now()
      const text = chunk.toString('latin1')
      if (wait.opened === 0) {
        wait.opened = now
        resolve(wait)
      }
      for (const _ of text.matchAll(/: keep-alive\n\n/g)) wait.comments.push(now)
    })
  })
}

async function openWaits(url: string, request: Buffer, count: number): Promise<Wait[]> {
  const waits: Wait[] = []
  while (waits.length < count) {
    const batch = Array.from({ length: Math.min(50, count - waits.length) }, () => startWait(url, request))
    waits.push(...(await Promise.all(batch)))
  }
  return waits
}

function closeWaits(waits: readonly Wait[]): void {
  for (const { socket } of waits) socket.destroy()
}

/** How far each comment was from the multiple of the interval since its stream opened. */
function drifts(waits: readonly Wait[], intervalMs: number): number[] {
  return waits.flatMap(({ opened, comments }) =>
    comments.map((at, index) => Math.abs(at - opened - (index + 1) * intervalMs)),
  )
}

/** What a thousand waiting calls cost, whether their comments keep time, and whether a day of comments leaves anything. */
export async function waits(progress: (text: string) => void): Promise<readonly Row[]> {
  return [...(await cost(progress)), ...(await punctuality(progress)), ...(await day(progress))]
}

async function cost(progress: (text: string) => void): Promise<readonly Row[]> {
  progress(`${waiting} waiting calls: memory`)
  await using program = await startProgram('ours', ['1', '600000'])
  const request = callRequest('legacy', program.url, program.token, 'wait')
  closeWaits(await openWaits(program.url, request, waiting))
  const used: number[] = []
  const resident: number[] = []
  for (let round = 0; round < rounds; round++) {
    await sleep(500)
    const before = await program.memory()
    const waits = await openWaits(program.url, request, waiting)
    const during = await program.memory()
    closeWaits(waits)
    used.push((during.used - before.used) / waiting / 1024)
    resident.push((during.rss - before.rss) / waiting / 1024)
  }
  return [
    goalRow('one of 1000 waiting calls', median(used), 'KiB', { atMost: 20 }),
    contextRow('one of 1000 waiting calls, resident', median(resident), 'KiB'),
  ]
}

async function punctuality(progress: (text: string) => void): Promise<readonly Row[]> {
  progress(`${waiting} waiting calls: comments`)
  const intervalMs = 3_000
  await using program = await startProgram('ours', ['1', String(intervalMs)])
  const request = callRequest('legacy', program.url, program.token, 'wait')
  const waits = await openWaits(program.url, request, waiting)
  await sleep(rounds * intervalMs + 500)
  closeWaits(waits)
  const { p50, p99 } = percentiles(drifts(waits, intervalMs))
  return [
    goalRow('1000 waiting calls: drift of a comment, p99', p99, 'ms', { atMost: 50 }),
    contextRow('1000 waiting calls: drift of a comment, p50', p50, 'ms'),
  ]
}

/** 5 760 comments are 24 hours of one every 15 seconds; here one every millisecond. */
async function day(progress: (text: string) => void): Promise<readonly Row[]> {
  progress('a day of comments')
  const streams = 10
  await using program = await startProgram('ours', ['1', '1'])
  const request = callRequest('legacy', program.url, program.token, 'wait')
  const waits = await openWaits(program.url, request, streams)
  await commentsReach(waits, 500)
  const before = await program.memory()
  await commentsReach(waits, 5_760)
  const after = await program.memory()
  closeWaits(waits)
  return [
    goalRow('a day of comments leaves per call', (after.used - before.used) / streams / 1024, 'KiB', { atMost: 4 }),
  ]
}

async function commentsReach(waits: readonly Wait[], count: number): Promise<void> {
  const deadline = performance.now() + 120_000
  while (waits.some(({ comments }) => comments.length < count)) {
    if (performance.now() > deadline) throw new Error('the comments stopped')
    await sleep(50)
  }
}
