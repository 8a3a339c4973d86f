import { readFile } from 'node:fs/promises'
import { brokerBytes } from '../../../packages/manager/src/broker/index.ts'
import { offerTools, type OfferedToolsParts } from '../../../packages/manager/src/tools/index.ts'
import type { CatalogueServer } from './data.ts'

/** Connections that only have tools: what a catalogue is made from. */
function connectionsOf(servers: readonly CatalogueServer[]): OfferedToolsParts['connections'] {
  const list = servers.map(({ server, tools }) => ({
    serverId: server,
    serverName: server,
    definition: { source: { kind: 'global' }, raw: {} },
    status: { state: 'connected' },
    tools,
    quarantined: [],
  })) as unknown as ReturnType<OfferedToolsParts['connections']['list']>
  return { list: () => list, get: () => undefined, subscribe: () => () => undefined }
}

/** Bytes of tool schemas in one model request: every tool directly, as the manager registers it, and the broker's three. */
export async function requestBytes(catalogue: string): Promise<{ readonly direct: number; readonly broker: number }> {
  const servers = JSON.parse(await readFile(catalogue, 'utf8')) as CatalogueServer[]
  const offered = offerTools({
    connections: connectionsOf(servers),
    registry: { register: () => () => undefined, get: () => undefined, schemas: () => [] },
    service: () => undefined,
    report: () => undefined,
  })
  const direct = offered.catalog.offered().reduce((sum, { bytes }) => sum + bytes, 0)
  offered.close()
  return { direct, broker: brokerBytes() }
}
