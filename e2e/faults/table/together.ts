import { readFile } from 'node:fs/promises'
import { callManager } from '../../manager/api-client.ts'
import { startBridge } from '../bridge.ts'
import type { Fault } from '../fault.ts'
import { DataLost, type Scene } from '../scene.ts'
import { eventually, processesWith, type WebHost } from '@dsh-mcp/testkit'

interface Added {
  readonly server: { readonly id: string; readonly name: string }
}

async function addFrom(host: WebHost, prefix: string, count: number): Promise<readonly Added[]> {
  const added: Added[] = []
  for (let index = 0; index < count; index++) {
    const body = { name: `${prefix}${index}`, type: 'stdio', command: 'no-such-program', enabled: false }
    const answer = await callManager(host, 'POST', '/api/servers', { body })
    if (answer.status !== 201) throw new Error(`${prefix}${index}: ${answer.status} ${JSON.stringify(answer.body)}`)
    added.push(answer.body as Added)
  }
  return added
}

async function requireServers(scene: Scene, added: readonly Added[]): Promise<void> {
  const { servers } = JSON.parse(await readFile(scene.statePath, 'utf8')) as { servers: { id: string }[] }
  const present = new Set(servers.map(({ id }) => id))
  const lost = added.filter(({ server }) => !present.has(server.id))
  if (lost.length > 0) throw new DataLost(`${lost.length} of ${added.length} confirmed servers are gone`)
}

const two = (end: 'stop' | 'kill') => async (scene: Scene) => {
  const other = await scene.second()
  const added = (await Promise.all([addFrom(scene.host(), 'one', 8), addFrom(other, 'two', 8)])).flat()
  await requireServers(scene, added)
  await other[end]()
  await requireServers(scene, added)
  await eventually(
    'the servers of the one that ended have ended',
    async () => (await processesWith(scene.mark)).length === 1,
    20_000,
  )
  for (const { server } of added) await scene.api('DELETE', `/api/servers/${server.id}`)
  await using bridge = startBridge(scene)
  await eventually('the bridge finds the harness that is left', async () => {
    const answer = await bridge.ask({ jsonrpc: '2.0', id: ++asked, method: 'tools/list' })
    return answer.includes('dsh_start_session')
  })
}
let asked = 0

const twoHarnesses: Fault = {
  fault: 'two harnesses on one home that change it at once',
  points: [
    { point: 'one ends in order', long: true, inject: two('stop') },
    { point: 'one is killed', inject: two('kill') },
  ],
}

/** Harnesses that share. */
export const together: readonly Fault[] = [twoHarnesses]
