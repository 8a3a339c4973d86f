import { temporaryHome } from '@dsh-mcp/testkit'
import { contextRow, goalRow, median, timed } from '../../harness/index.ts'
import type { Row } from '../../harness/index.ts'
import { startBenchHost } from './bench-host.ts'
import { percentile } from './percentile.ts'

/** More than the host keeps prepared (five), so that each read finds its session cold. */
const sessions = 14
const eventsEach = 50_000
const reads = 98

/** The tail of a cold 50 000-event session beside the host's own cold read of such a session. */
export async function reading(progress: (text: string) => void): Promise<readonly Row[]> {
  await using home = await temporaryHome()
  const turns = 50
  const seeds = Array.from({ length: sessions }, (_, index) => ({
    id: `long-${index}`,
    cwd: home.path,
    turns,
    chunks: eventsEach / turns - 6,
  }))
  progress(`writing ${sessions} sessions of ${eventsEach} events`)
  await using bench = await startBenchHost(home.path, seeds)
  const ours: number[] = []
  const theirs: number[] = []
  progress(`reading cold, ${reads} times each in turn`)
  for (let round = -2; round < reads; round++) {
    const [first, second] = [`long-${(round + sessions) % sessions}`, `long-${(round + sessions * 1.5) % sessions}`]
    const own = () => timed(() => bench.endpoint.call('dsh_read_session', { sessionId: first }))
    const host = () => bench.hostRead(second)
    const ownFirst = round % 2 === 0
    const values = ownFirst ? [await own(), await host()] : [await host(), await own()]
    if (round < 0) continue
    ours.push(values[ownFirst ? 0 : 1]!)
    theirs.push(values[ownFirst ? 1 : 0]!)
  }
  const warm: number[] = []
  for (let round = 0; round < 20; round++) {
    warm.push(await timed(() => bench.endpoint.call('dsh_read_session', { sessionId: 'long-1' })))
  }
  const ratio = percentile(ours, 0.95) / percentile(theirs, 0.95)
  return [
    goalRow("tail of a cold 50 000-event session, p95 against the host's own cold read", ratio, '×', { atMost: 1.5 }),
    contextRow('the same by medians', median(ours) / median(theirs), '×'),
    contextRow('dsh_read_session, cold, p95', percentile(ours, 0.95), 'ms'),
    contextRow("the host's own read, cold, p95", percentile(theirs, 0.95), 'ms'),
    contextRow('dsh_read_session, again, p95', percentile(warm, 0.95), 'ms'),
  ]
}
