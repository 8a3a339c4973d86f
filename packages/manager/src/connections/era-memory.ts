import { createHash } from 'node:crypto'
import type { PriorDiscovery } from '@modelcontextprotocol/client'
import type { ServerDefinition } from '../config/index.ts'

/** What a successful connection taught about a server. */
export type Verdict =
  | { readonly transport: 'stdio' | 'streamable-http'; readonly prior: PriorDiscovery }
  | { readonly transport: 'http-sse' }

/** An old verdict would hide that a server has learned the newer protocol, so that one has the shorter life. */
const lifeMs = { modern: 24 * 3_600_000, legacy: 3_600_000 } as const

/** Remembers era and transport per server configuration, for a limited time and in memory only. */
export interface EraMemory {
  recall(server: ServerDefinition): Verdict | undefined
  keep(server: ServerDefinition, verdict: Verdict): void
  forget(server: ServerDefinition): void
}

function keyOf(server: ServerDefinition): string {
  const { oauth: _, disabledTools: __, ...raw } = server.raw
  return createHash('sha256')
    .update(JSON.stringify([server.id, raw]))
    .digest('base64')
}

/** A new, empty memory. `now` gives epoch milliseconds. */
export function createEraMemory(now: () => number = Date.now): EraMemory {
  const kept = new Map<string, { readonly verdict: Verdict; readonly until: number }>()
  return {
    recall(server) {
      const key = keyOf(server)
      const found = kept.get(key)
      if (found === undefined || found.until > now()) return found?.verdict
      kept.delete(key)
      return undefined
    },
    keep(server, verdict) {
      const modern = verdict.transport !== 'http-sse' && verdict.prior.kind === 'modern'
      kept.set(keyOf(server), { verdict, until: now() + (modern ? lifeMs.modern : lifeMs.legacy) })
    },
    forget: (server) => void kept.delete(keyOf(server)),
  }
}
