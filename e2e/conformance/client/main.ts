import { revisions } from '../suite.ts'
import { requiredClientScenarios, runClientScenario } from './run.ts'

/** Runs every client scenario both revisions require, one by one; `[filter …]` picks those whose name holds a filter. */
export async function main(filters: readonly string[] = process.argv.slice(3)): Promise<number> {
  let failed = 0
  for (const revision of revisions) {
    const scenarios = (await requiredClientScenarios(revision)).filter(
      (name) => filters.length === 0 || filters.some((filter) => name.includes(filter)),
    )
    let passed = 0
    for (const scenario of scenarios) {
      const result = await runClientScenario(scenario, revision)
      const ok = result.failures.length === 0
      if (ok) passed++
      else failed++
      const note = result.repeated ? ' (at the second try)' : ''
      console.log(`${ok ? 'ok    ' : 'FAILED'} ${revision} ${scenario}: ${result.passed} checks passed${note}`)
      for (const failure of result.failures) console.log(`         ${failure}`)
    }
    console.log(`${revision}: ${passed} of ${scenarios.length} required client scenarios pass`)
  }
  return failed === 0 ? 0 : 1
}
