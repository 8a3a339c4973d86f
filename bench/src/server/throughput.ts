import { alternate, contextRow, goalRow, median } from '../../harness/index.ts'
import type { Row } from '../../harness/index.ts'
import { load } from './http-load.ts'
import type { Load } from './http-load.ts'
import { startProgram } from './programs.ts'
import type { ProgramName } from './programs.ts'
import { callRequest } from './requests.ts'

const roundMs = 1_500

/**
 * `tools/call` through our endpoint beside the official handler, in both eras, one after the other and sixteen at once; and
 * beside a server that only answers a constant, which shows how far anything could get.
 */
export async function throughput(progress: (text: string) => void): Promise<readonly Row[]> {
  await using ours = await startProgram('ours')
  await using sdk = await startProgram('sdk')
  await using constant = await startProgram('constant')
  const programs = { ours, sdk, constant }
  const names = ['ours', 'sdk', 'constant'] as const
  const rows: Row[] = []
  for (const era of ['legacy', '2026-07-28'] as const) {
    for (const concurrency of [1, 16]) {
      progress(`tools/call, ${era}, ${concurrency} at once`)
      const loads: Record<ProgramName, Load[]> = { ours: [], sdk: [], constant: [] }
      const measure = (name: ProgramName) => async () => {
        const { url, token } = programs[name]
        const result = await load(url, callRequest(era, url, token), concurrency, roundMs)
        loads[name].push(result)
        return result.perSecond
      }
      const result = await alternate({ ours: measure('ours'), sdk: measure('sdk'), constant: measure('constant') })
      const label = `tools/call ${era}, ${concurrency} at once`
      rows.push(goalRow(`${label}: ours / official handler`, result.ratio('ours', 'sdk'), '×', { atLeast: 4 }))
      rows.push(
        contextRow(`${label}: a constant answer / official handler`, result.ratio('constant', 'sdk'), '×', 'higher'),
      )
      for (const name of names) {
        rows.push(contextRow(`${label}: ${name}`, result.median(name), 'per s', 'higher'))
        rows.push(contextRow(`${label}: ${name} p50`, median(loads[name].map((one) => one.p50)), 'ms'))
        rows.push(contextRow(`${label}: ${name} p99`, median(loads[name].map((one) => one.p99)), 'ms'))
      }
    }
  }
  return rows
}
