import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { freePort, oddStdio, startEverything } from '@dsh-mcp/testkit'
import { goalRow, type Row } from '../../harness/index.ts'
import { define, openConnections } from './scene.ts'

const mebibyte = 1024 * 1024

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Heap in use once collecting frees nothing more: weak references and finalizers need several rounds. */
async function heap(): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let still = 0; still < 5;) {
    collect()
    await new Promise((resolve) => setTimeout(resolve, 200))
    const used = process.memoryUsage().heapUsed
    still = used < least - 10_000 ? 0 : still + 1
    least = Math.min(least, used)
  }
  return least
}

const handles = (): number => process.getActiveResourcesInfo().filter((name) => name !== 'Immediate').length

interface Growth {
  readonly bytes: number
  readonly handles: number
}

/** What is left after `rounds` of `work`, beyond what a tenth of them left. */
async function growth(rounds: number, work: () => Promise<void>): Promise<Growth> {
  for (let round = 0; round < rounds / 10; round++) await work()
  const before = { heap: await heap(), handles: handles() }
  for (let round = 0; round < rounds; round++) await work()
  return { bytes: (await heap()) - before.heap, handles: handles() - before.handles }
}

function rows(name: string, { bytes, handles: left }: Growth): readonly Row[] {
  return [
    goalRow(`${name}: heap grown`, bytes / mebibyte, 'MiB', { atMost: 1 }),
    goalRow(`${name}: handles left`, Math.max(0, left), '', { atMost: 0 }),
  ]
}

/** Whether what goes on for days leaves anything behind. */
export async function memory(progress: (text: string) => void): Promise<readonly Row[]> {
  await using peer = await startEverything()
  // What the server prints of each request would be collected in this process, and be measured with the rest.
  for (const stream of [peer.child.process.stdout, peer.child.process.stderr]) {
    stream?.removeAllListeners('data').resume()
  }
  const set = openConnections()
  try {
    progress('1000 connections over HTTP …')
    const http = await growth(1_000, async () => {
      const connection = set.start(define('http', { type: 'http', url: peer.url, authMode: 'none' }))
      await connection.firstAttempt
      if (connection.status.state !== 'connected') throw new Error(JSON.stringify(connection.status))
      await set.stop('http')
    })
    progress('100 connections over stdio …')
    const stdio = await growth(100, async () => {
      const connection = set.start(define('stdio', { type: 'stdio', ...oddStdio() }))
      await connection.firstAttempt
      if (connection.status.state !== 'connected') throw new Error(JSON.stringify(connection.status))
      await set.stop('stdio')
    })
    progress('500 failed reconnects …')
    const dead = set.start(
      define('dead', { type: 'http', url: `http://127.0.0.1:${await freePort()}/mcp`, authMode: 'none' }),
    )
    const failing = await growth(500, async () => {
      if ((await dead.reconnect()).state !== 'error') throw new Error('it connected')
    })
    await set.stop('dead')
    progress('1 M lines of error output …')
    const lines = await growth(1, async () => {
      const connection = set.start(define('loud', { type: 'stdio', ...oddStdio({ stderrLines: 1_000_000 }) }))
      await connection.firstAttempt
      if (connection.status.state !== 'connected') throw new Error(JSON.stringify(connection.status))
      await set.stop('loud')
    })
    return [
      ...rows('1 000 connections over Streamable HTTP, opened and closed', http),
      ...rows('100 connections over stdio, opened and closed', stdio),
      ...rows('500 failed reconnects (8 h at one a minute)', failing),
      ...rows('1 M lines of error output', lines),
    ]
  } finally {
    await set.close()
  }
}
