import { temporaryHome } from '@dsh-mcp/testkit'
import { contextRow, goalRow, median } from '../../harness/index.ts'
import type { Row } from '../../harness/index.ts'
import { startBenchHost } from './bench-host.ts'
import type { BenchHost } from './bench-host.ts'
import { percentile } from './percentile.ts'

const sessions = 50
const waitsEach = 4

interface Waited {
  readonly reason: string
  readonly lastTurn: { readonly endedAt: string }
}

/** Milliseconds from the end of the turn, by the session's own log, to the answer in the client's hands. */
async function delayOf(bench: BenchHost, sessionId: string, messageId: string): Promise<number> {
  const args = { sessionId, messageId, timeoutSeconds: 120 }
  const { reason, lastTurn } = await bench.endpoint.call<Waited>('dsh_wait_session', args)
  if (reason !== 'completed') throw new Error(`a wait ended with ${reason}`)
  return Date.now() - Date.parse(lastTurn.endedAt)
}

/** 200 waits at once on 50 sessions whose turns end one after another. */
export async function waiting(progress: (text: string) => void): Promise<readonly Row[]> {
  await using home = await temporaryHome()
  await using bench = await startBenchHost(home.path, [])
  progress(`starting ${sessions} sessions`)
  const waits: Promise<number>[] = []
  for (let index = 0; index < sessions; index++) {
    // Long enough that every wait stands before the first turn ends.
    const prompt = `sleep ${20_000 + index * 100}\nsay done`
    const { sessionId, messageId } = await bench.endpoint.call<{ sessionId: string; messageId: string }>(
      'dsh_start_session',
      { cwd: home.path, prompt, title: `Waiting ${index}` },
    )
    for (let wait = 0; wait < waitsEach; wait++) waits.push(delayOf(bench, sessionId, messageId))
  }
  progress(`${waits.length} waits`)
  const delays = await Promise.all(waits)
  return [
    goalRow('200 waits on 50 sessions: from the end of the turn to the answer, p95', percentile(delays, 0.95), 'ms', {
      atMost: 100,
    }),
    contextRow('the same, median', median(delays), 'ms'),
    contextRow('the same, slowest', percentile(delays, 1), 'ms'),
  ]
}
