import { afterAll, expect, test } from 'vitest'
import { beginRun } from './run.ts'
import { faults } from './table/index.ts'

/** The short form of `npm run test:faults`: fewer points, small amounts, a fixed seed. */
const run = beginRun({ calls: 120, frames: 200, clients: 25, loadSeconds: 4, seed: 20_260_101, short: true })

afterAll(() => run[Symbol.asyncDispose]())

test.each(faults.filter(({ points }) => points.some(({ long }) => long !== true)))(
  '$fault: nothing lost, nothing left over, no secret out',
  async (fault) => {
    const outcomes = await run.inject(fault)
    expect(outcomes.length).toBeGreaterThan(0)
    expect(outcomes.filter(({ result }) => result !== 'survived' && result !== 'skipped')).toEqual([])
  },
  180_000,
)
