import type { Extension } from './extension.ts'
import { featureMethods, listTtlMs } from './feature-methods.ts'
import type { Identity } from './identity.ts'
import type { MethodTable } from './method.ts'
import { listenMethod } from './subscriptions.ts'
import type { ResourceSet, ToolSet } from './tool-set.ts'
import { modernProtocolVersion } from './versions.ts'

/** Methods of 2026-07-28. */
export function modernMethods(
  identity: Identity,
  tools: ToolSet,
  resources: ResourceSet,
  extension: Extension,
): MethodTable {
  const capabilities = {
    tools: { listChanged: false },
    resources: { subscribe: false, listChanged: false },
    ...extension.modernCapabilities,
  }
  return {
    'server/discover': {
      constant: true,
      ttlMs: listTtlMs,
      handle: () => ({
        supportedVersions: [modernProtocolVersion],
        capabilities,
        instructions: identity.instructions,
      }),
    },
    ...featureMethods(tools, resources),
    'subscriptions/listen': listenMethod(extension.changes),
    ...extension.modernMethods,
  }
}
