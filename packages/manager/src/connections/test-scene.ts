import { oddStdio } from '@dsh-mcp/testkit'
import type { StdioOddity } from '@dsh-mcp/testkit'
import { loadServerParser } from '../config/index.ts'
import type { ServerDefinition } from '../config/index.ts'
import { createAttemptLogs } from '../diagnostics/index.ts'
import type { AttemptLogs } from '../diagnostics/index.ts'
import type { Authorization } from './authorization.ts'
import { noAuthorization } from './authorization.ts'
import type { CallToolOptions, ConnectionStatus, ServerConnection } from './connection.ts'
import { createConnections } from './create-connections.ts'
import type { ConnectionSettings, ServerConnections } from './server-connections.ts'

const parse = await loadServerParser()

/** A definition from the fields of a record. */
export function define(name: string, record: Readonly<Record<string, unknown>>): ServerDefinition {
  const parsed = parse(record, { id: `id-${name}`, name, source: { kind: 'global' } })
  if (!parsed.ok) throw new Error(parsed.problem)
  return parsed.server
}

/** The record of a stdio server that behaves as told. */
export const stdio = (odd: StdioOddity = {}, args: readonly string[] = []) => ({
  type: 'stdio',
  ...oddStdio(odd, args),
})

/** The record of a Streamable HTTP server that asks for no login. */
export const http = (url: string, more: object = {}) => ({ type: 'http', url, authMode: 'none', ...more })

/** How often a peer saw a request. */
export const countOf = (seen: readonly string[], what: string): number => seen.filter((one) => one === what).length

/** A set of connections for one test; disposing it stops all. */
export interface TestScene extends AsyncDisposable {
  readonly set: ServerConnections
  readonly logs: AttemptLogs
  /** Starts a server and waits for the end of its first attempt. */
  start(name: string, record: Readonly<Record<string, unknown>>): Promise<ServerConnection>
  /** Details of a server's log, one a line. */
  log(name: string): string
}

/** Opens a set. */
export function openScene(
  settings: Partial<ConnectionSettings> & { readonly authorization?: Authorization } = {},
): TestScene {
  const logs = createAttemptLogs()
  const set = createConnections({
    logs,
    environment: process.env,
    authorize: () => settings.authorization ?? noAuthorization,
    toolCallTimeoutMs: 60_000,
    ...settings,
  })
  return {
    set,
    logs,
    async start(name, record) {
      const connection = set.start(define(name, record))
      await connection.firstAttempt
      return connection
    },
    log: (name) =>
      logs
        .of(`id-${name}`)
        .entries()
        .map(({ phase, status, detail }) => `${phase} ${status} ${detail}`)
        .join('\n'),
    [Symbol.asyncDispose]: () => set.close(),
  }
}

/** The text of the first block of a call. */
export async function textOf(
  connection: ServerConnection,
  tool: string,
  args: Readonly<Record<string, unknown>> = {},
  options?: CallToolOptions,
): Promise<string> {
  const { content } = await connection.callTool(tool, args, options)
  return (content[0] as { text: string }).text
}

/** Resolves when the status is of the given state. */
export function untilState<S extends ConnectionStatus['state']>(
  connection: ServerConnection,
  state: S,
): Promise<Extract<ConnectionStatus, { state: S }>> {
  return new Promise((resolve) => {
    const look = (): boolean => {
      const { status } = connection
      if (status.state !== state) return false
      resolve(status as Extract<ConnectionStatus, { state: S }>)
      return true
    }
    if (look()) return
    const unsubscribe = connection.subscribe(() => {
      if (look()) unsubscribe()
    })
  })
}
