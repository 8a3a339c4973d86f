import type { BuiltinMcpRow } from '@dsh-mcp/host'
import type { ServerView } from './api-types.ts'
import { maskUrl, maskValues } from './mask.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const texts = (value: unknown): Record<string, string> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      )
    : {}

/** An id that the routes of this API do not take for one of ours. */
const idOf = (rowId: string): string => `builtin-${rowId.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`

/**
 * A server that a row of the host's own client runs, to be looked at only. Its tools are what the registry holds under its
 * name: the client tells nothing of its connection, so a server without tools shows as not connected.
 */
export function builtinServerView(
  { rowId, disabled, config }: BuiltinMcpRow,
  toolNames: readonly string[],
): ServerView {
  const name = text(config['serverName'])
  const toolCount = disabled ? 0 : toolNames.filter((tool) => tool.startsWith(`mcp__${name}__`)).length
  const isStdio = config['transport'] === 'stdio' || (config['transport'] === undefined && config['url'] === undefined)
  const idle = disabled ? 'disabled' : 'disconnected'
  return {
    id: idOf(rowId),
    name,
    type: isStdio ? 'stdio' : 'http',
    source: 'builtin',
    enabled: !disabled,
    status: toolCount > 0 ? 'connected' : idle,
    toolCount,
    error: null,
    ...(isStdio
      ? {
          command: text(config['command']),
          args: Array.isArray(config['args']) ? config['args'].map(String) : [],
          env: maskValues(texts(config['env'])),
          cwd: text(config['cwd']),
        }
      : {
          url: maskUrl(text(config['url'])),
          authMode: 'none',
          headers: maskValues(texts(config['headers'])),
          headerEnv: {},
        }),
  }
}
