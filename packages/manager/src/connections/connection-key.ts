import type { ServerDefinition } from '../config/index.ts'

/** Everything a connection depends on: not the login, the switches of tools, nor the budget of calls. */
export function connectionKey({ id, name, source, enabled, raw }: ServerDefinition): string {
  const { oauth: _, disabledTools: __, timeout: ___, ...declared } = raw
  return JSON.stringify([id, name, source, enabled, declared])
}
