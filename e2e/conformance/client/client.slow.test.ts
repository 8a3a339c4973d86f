import { describe, expect, test } from 'vitest'
import { revisions } from '../suite.ts'
import { requiredClientScenarios, runClientScenario } from './run.ts'

describe.each(revisions)('the manager as a client of %s', async (revision) => {
  const scenarios = await requiredClientScenarios(revision)

  test('there are scenarios', () => expect(scenarios.length).toBeGreaterThan(3))

  test.each(scenarios)('%s', async (scenario) => {
    const result = await runClientScenario(scenario, revision)
    expect(result.failures).toEqual([])
    expect(result.passed).toBeGreaterThan(0)
  })
})
