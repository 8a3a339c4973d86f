import { join } from 'node:path'
import { startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { serve } from '../../../packages/server/src/fixture/serve.ts'
import { endpointOf } from '../../server/delegate.ts'
import { startForwarder } from '../forwarder.ts'
import { revisions, runServerSuite } from '../suite.ts'
import type { Revision, SuiteResult } from '../suite.ts'
import { suiteGatewayOptions } from './fixture.ts'

/** What the product endpoint deliberately has not, with the reasons. */
export function productBaseline(revision: Revision): string {
  return join(import.meta.dirname, `product-${revision}.yaml`)
}

/** The suite against the gateway with everything the suite knows mounted on it. */
export async function runFixture(revision: Revision): Promise<SuiteResult> {
  await using served = await serve(suiteGatewayOptions())
  await using forwarder = await startForwarder(served.url, served.token)
  return await runServerSuite(forwarder.url, revision)
}

/** The suite against the endpoint of a real harness, where exactly the baseline may fail. */
export async function runProduct(revision: Revision): Promise<SuiteResult> {
  await using home = await temporaryHome()
  await using host = await startWebHost({ home: home.path, plugins: ['server'] })
  const { url, token } = await endpointOf(host.home)
  await using forwarder = await startForwarder(url, token)
  return await runServerSuite(forwarder.url, revision, productBaseline(revision))
}

/** `npm run conformance -- server`: one line per subject and requirement set. Returns the exit code. */
export async function main(): Promise<number> {
  let wrong = 0
  for (const [subject, run] of [
    ['fixture', runFixture],
    ['product', runProduct],
  ] as const) {
    for (const revision of revisions) {
      const result = await run(revision)
      console.log(summary(subject, result))
      if (result.exitCode !== 0) {
        wrong++
        console.log(result.output)
      }
    }
  }
  return wrong === 0 ? 0 : 1
}

function summary(subject: string, { revision, scenarios, exitCode }: SuiteResult): string {
  const required = scenarios.filter((scenario) => scenario.required)
  const passed = required.filter(({ failures }) => failures.length === 0).length
  const checks = required.reduce((sum, scenario) => sum + scenario.passed, 0)
  const rest = required.length - passed
  const verdict = exitCode === 0 ? 'ok    ' : 'FAILED'
  const expected = rest === 0 ? '' : `, ${rest} ${exitCode === 0 ? 'fail as the baseline says' : 'fail'}`
  return `${verdict} server ${subject} ${revision}: ${passed} of ${required.length} required scenarios pass (${checks} checks)${expected}`
}
