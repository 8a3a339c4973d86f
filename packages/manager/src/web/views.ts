import type { ServerDefinition } from '../config/index.ts'
import type { ConnectionStatus } from '../connections/index.ts'
import type { ServerTools, ToolEntry } from '../tools/index.ts'
import type { OAuthHealth, ServerStatus, ServerView, ToolView } from './api-types.ts'
import { maskUrl, maskValues } from './mask.ts'

/** What a view is made of; parts that are not known stay out. */
export interface ServerParts {
  readonly definition: ServerDefinition
  readonly status: ConnectionStatus
  readonly tools?: ServerTools
  /** Public names the host refused, with its reason. */
  readonly conflicts?: ReadonlyMap<string, string>
  readonly oauth?: OAuthHealth
}

const noConflicts: ReadonlyMap<string, string> = new Map()

const maxError = 300

function reasonOf(status: ConnectionStatus): string | null {
  if (!('reason' in status) || status.state === 'connected') return null
  return status.reason.length > maxError ? `${status.reason.slice(0, maxError - 1)}…` : status.reason
}

function connectionFields(status: ConnectionStatus): Partial<ServerView> {
  switch (status.state) {
    case 'connected':
      return {
        transport: status.transport,
        era: status.era,
        protocolVersion: status.protocolVersion,
        connectionReason: status.reason,
        since: status.since,
        ...(status.missingScope !== undefined && { missingScope: status.missingScope }),
      }
    case 'needs-auth':
      return status.missingScope === undefined ? {} : { missingScope: status.missingScope }
    case 'error':
      return status.retryAt === undefined ? {} : { retryAt: status.retryAt }
    case 'disconnected':
    case 'connecting':
    case 'authorizing':
    case 'disabled':
    case 'conflict':
    case 'configured':
      return {}
  }
}

function kindFields(definition: ServerDefinition): Partial<ServerView> {
  if (definition.type === 'stdio') {
    const { command, args, env, cwd } = definition
    return { command, args, env: maskValues(env), cwd: cwd ?? '' }
  }
  const { url, authMode, headers, headerEnv, tokenEnv, clientId, clientSecretEnv, scope } = definition
  const { oauthGrant, oauthResource, privateKeyEnv, privateKeyAlgorithm } = definition
  return {
    url: maskUrl(url),
    authMode,
    headers: maskValues(headers),
    headerEnv,
    ...(authMode === 'static' && { tokenEnv: tokenEnv ?? '' }),
    clientId: clientId ?? '',
    clientSecretEnv: clientSecretEnv ?? '',
    scope: scope ?? '',
    ...(authMode === 'oauth' && {
      oauthGrant: oauthGrant ?? 'authorization_code',
      oauthResource: oauthResource ?? true,
      privateKeyEnv: privateKeyEnv ?? '',
      privateKeyAlgorithm: privateKeyAlgorithm ?? '',
    }),
  }
}

const bytesOf = (tools: ServerTools, conflicts: ReadonlyMap<string, string>): number =>
  tools.entries
    .filter((entry) => !tools.disabled.has(entry) && !conflicts.has(entry.publicName))
    .reduce((sum, entry) => sum + entry.bytes, 0)

/** A server as the API shows it: masked values, no token, one redacted line for what failed. */
export function serverView(parts: ServerParts): ServerView {
  const { definition, status, tools, oauth, conflicts = noConflicts } = parts
  const isConnected = status.state === 'connected'
  return {
    id: definition.id,
    name: definition.name,
    type: definition.type,
    ...(definition.source.kind === 'workspace' && { source: 'workspace' as const }),
    enabled: definition.enabled,
    status: status.state satisfies ServerStatus,
    toolCount: isConnected ? (tools?.entries.length ?? status.toolCount) : 0,
    error: reasonOf(status),
    ...connectionFields(status),
    schemaBytes: isConnected && tools !== undefined ? bytesOf(tools, conflicts) : null,
    quarantinedCount: tools === undefined ? 0 : tools.quarantined.length + refused(tools, conflicts).length,
    ...(definition.timeout !== undefined && { timeout: definition.timeout }),
    ...(oauth !== undefined && { oauth }),
    ...kindFields(definition),
  }
}

const refused = (tools: ServerTools, conflicts: ReadonlyMap<string, string>): readonly ToolEntry[] =>
  tools.entries.filter((entry) => conflicts.has(entry.publicName))

function toolView(entry: ToolEntry, enabled: boolean, conflict: string | undefined): ToolView {
  return {
    name: entry.rawName,
    publicName: entry.publicName,
    ...(entry.title !== undefined && { title: entry.title }),
    description: entry.definition.description,
    inputSchema: entry.definition.parameters,
    enabled,
    bytes: entry.bytes,
    ...(conflict !== undefined && { quarantined: `its name is taken by another plugin: ${conflict}` }),
  }
}

/** The tools of a server, those set aside last. */
export function toolViews(tools: ServerTools, conflicts: ReadonlyMap<string, string> = noConflicts): ToolView[] {
  return [
    ...tools.entries.map((entry) => toolView(entry, !tools.disabled.has(entry), conflicts.get(entry.publicName))),
    ...tools.quarantined.map((tool) => ({
      name: tool.name,
      publicName: '',
      description: '',
      inputSchema: null,
      enabled: false,
      bytes: 0,
      quarantined: tool.reason,
    })),
  ]
}
