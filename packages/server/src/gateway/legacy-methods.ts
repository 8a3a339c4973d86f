import type { Extension } from './extension.ts'
import { featureMethods } from './feature-methods.ts'
import type { Identity } from './identity.ts'
import type { Method, MethodTable } from './method.ts'
import type { ResourceSet, ToolSet } from './tool-set.ts'
import { negotiateProtocolVersion } from './versions.ts'

const acknowledge: Method = { constant: true, handle: () => ({}) }

/** Methods of the revisions that open with `initialize`. Notification methods stand here too: sent with an id, they answer. */
export function legacyMethods(
  identity: Identity,
  tools: ToolSet,
  resources: ResourceSet,
  extension: Extension,
): MethodTable {
  const capabilities = {
    tools: { listChanged: false },
    resources: { subscribe: false, listChanged: false },
    logging: {},
    ...extension.legacyCapabilities,
  }
  const { serverInfo, instructions } = identity
  return {
    initialize: {
      handle: (params) => ({
        protocolVersion: negotiateProtocolVersion(params.protocolVersion),
        capabilities,
        serverInfo: { ...serverInfo },
        instructions,
      }),
    },
    ping: acknowledge,
    'logging/setLevel': acknowledge,
    'notifications/initialized': acknowledge,
    'notifications/cancelled': acknowledge,
    'notifications/progress': acknowledge,
    'notifications/roots/list_changed': acknowledge,
    ...featureMethods(tools, resources),
    ...extension.legacyMethods,
  }
}
