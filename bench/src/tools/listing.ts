import { temporaryHome } from '@dsh-mcp/testkit'
import { contextRow, goalRow, median, timed } from '../../harness/index.ts'
import type { Row } from '../../harness/index.ts'
import { startBenchHost } from './bench-host.ts'
import type { BenchHost } from './bench-host.ts'
import { percentile } from './percentile.ts'

interface Listing {
  readonly total: number
}

async function measure(bench: BenchHost, expected: number, rounds: number) {
  const first = await timed(() => bench.endpoint.call('dsh_list_sessions', {}))
  const later: number[] = []
  for (let round = -20; round < rounds; round++) {
    let total = 0
    const value = await timed(async () => {
      total = (await bench.endpoint.call<Listing>('dsh_list_sessions', { query: 'bench' })).total
    })
    if (round >= 0) later.push(value)
    if (total !== expected) throw new Error(`${total} sessions were listed, not ${expected}`)
  }
  return { first, later }
}

/** Listing 2000 stored sessions, half as many, and the status beside them. */
export async function listing(progress: (text: string) => void): Promise<readonly Row[]> {
  await using home = await temporaryHome()
  const seeds = Array.from({ length: 2000 }, (_, index) => ({
    id: `bench-${index}`,
    cwd: home.path,
    turns: 1,
    chunks: 3,
  }))
  progress('writing 1000 sessions')
  let half
  {
    await using bench = await startBenchHost(home.path, seeds.slice(0, 1000))
    half = await measure(bench, 1000, 60)
  }
  progress('writing 1000 more')
  await using bench = await startBenchHost(home.path, seeds)
  const all = await measure(bench, 2000, 60)
  progress('status')
  const status: number[] = []
  for (let round = 0; round < 60; round++) status.push(await timed(() => bench.endpoint.call('dsh_get_status', {})))
  const growth = median(all.later) / median(half.later)
  return [
    goalRow('list of 2000 stored sessions, p95', percentile(all.later, 0.95), 'ms', { atMost: 150 }),
    goalRow('list of 2000 against list of 1000 (linear is 2)', growth, '×', { atMost: 2.5 }),
    contextRow('list of 2000 stored sessions, first after start', all.first, 'ms'),
    goalRow('dsh_get_status beside 2000 stored sessions, median', median(status), 'ms', { atMost: 5 }),
    contextRow('dsh_get_status beside 2000 stored sessions, p95', percentile(status, 0.95), 'ms'),
  ]
}
