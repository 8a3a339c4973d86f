import { nodeBinary } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { connect } from './connect.ts'
import { echoRuntime } from './programs.ts'

const REQUESTS = 20_000
const IN_FLIGHT = 200

/** A generator of numbers in [0, 1) that gives the same ones in each run (mulberry32). */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

test('frames of all sizes, through the pipes of two processes, arrive whole, once, and in order', async () => {
  await using connection = connect(nodeBinary, [echoRuntime], process.env)
  const { transport, notifications, diagnostics } = connection
  const random = numbers(42)
  const next = (): number => random.next().value as number
  const alphabet = ['x', 'é', '汉', '😀', '"', '\n', '\u2028', 'base64+/=']
  let sent = 0
  const order: number[] = []

  async function worker(): Promise<void> {
    while (sent < REQUESTS) {
      const n = sent++
      const length = next() < 0.01 ? 300_000 * next() : next() < 0.2 ? 5000 * next() : 50 * next()
      const text = alphabet[Math.floor(next() * alphabet.length)]!.repeat(length)
      const params = { n, turns: Math.floor(next() * 3), text }
      if (transport.needsDrain) await transport.drained()
      order.push(n)
      const answer = (await transport.request('echo', params)) as typeof params
      if (answer.n !== n || answer.text !== text) throw new Error(`request ${n} got the answer of ${answer.n}`)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))

  const of = (name: string): unknown[] =>
    notifications.filter(({ method }) => method === name).map((note) => note.params.n)
  expect(of('received')).toEqual(order)
  expect(new Set(of('answering')).size).toBe(REQUESTS)
  expect(diagnostics).toEqual([])
  expect(transport.pendingRequests).toBe(0)
})
