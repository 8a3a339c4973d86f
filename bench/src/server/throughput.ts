import { alternate, contextRow, goalRow, median } from '../../harness/index.ts'
import type { Row } from '../../harness/index.ts'
import { load } from './http-load.ts'
import type { Load } from './http-load.ts'
import { startProgram } from './programs.ts'
import { callRequest } from './requests.ts'

const roundMs = 1_500

/** `tools/call` through our endpoint beside the official handler, in both eras, one after the other and sixteen at once. */
export async function throughput(progress: (text: string) => void): Promise<readonly Row[]> {
  await using ours = await startProgram('ours')
  await using sdk = await startProgram('sdk')
  const rows: Row[] = []
  for (const era of ['legacy', '2026-07-28'] as const) {
    for (const concurrency of [1, 16]) {
      progress(`tools/call, ${era}, ${concurrency} at once`)
      const loads: Record<'ours' | 'sdk', Load[]> = { ours: [], sdk: [] }
      const measure = (name: 'ours' | 'sdk') => async () => {
        const { url, token } = name === 'ours' ? ours : sdk
        const result = await load(url, callRequest(era, url, token), concurrency, roundMs)
        loads[name].push(result)
        return result.perSecond
      }
      const result = await alternate({ ours: measure('ours'), sdk: measure('sdk') })
      const label = `tools/call ${era}, ${concurrency} at once`
      rows.push(goalRow(`${label}: ours / official handler`, result.ratio('ours', 'sdk'), '×', { atLeast: 4 }))
      for (const name of ['ours', 'sdk'] as const) {
        rows.push(contextRow(`${label}: ${name}`, result.median(name), 'per s', 'higher'))
        rows.push(contextRow(`${label}: ${name} p50`, median(loads[name].map((one) => one.p50)), 'ms'))
        rows.push(contextRow(`${label}: ${name} p99`, median(loads[name].map((one) => one.p99)), 'ms'))
      }
    }
  }
  return rows
}
