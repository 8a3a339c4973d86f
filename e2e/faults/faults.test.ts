import { expect, test } from 'vitest'
import { runFaults } from './run.ts'
import { faults } from './table/index.ts'

/** The short form of `npm run test:faults`: fewer points, small amounts, a fixed seed. */
const amounts = { calls: 120, frames: 200, clients: 25, loadSeconds: 4, seed: 20_260_101, short: true }

test.each(faults)(
  '$fault: nothing lost, nothing left over, no secret out',
  async (fault) => {
    const outcomes = await runFaults([fault], amounts)
    expect(outcomes.length).toBeGreaterThan(0)
    expect(outcomes.filter(({ result }) => result !== 'survived' && result !== 'skipped')).toEqual([])
  },
  180_000,
)
