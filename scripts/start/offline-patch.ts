import { fileURLToPath } from 'node:url'

const offlineModel = fileURLToPath(new URL('offline-model.program.ts', import.meta.url))

/** A patch layer that mounts the offline model and makes it the default. */
export function offlineModelPatch(): string {
  return JSON.stringify([
    { insert: [{ id: 'dsh-mcp-offline-model', name: offlineModel }] },
    { id: 'agent-default-model', config: { provider: 'offline', model: 'offline' } },
  ])
}
