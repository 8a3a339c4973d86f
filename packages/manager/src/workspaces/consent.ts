import { createHash } from 'node:crypto'
import { expandReferences } from '../config/index.ts'
import type { HttpServer, ServerDefinition, StdioServer } from '../config/index.ts'

/** Something of a workspace file that a person should see before it happens. */
export interface ConsentSubject {
  readonly kind: 'command' | 'references'
  /** Changes with any part of the subject, so that an allowance covers exactly what was shown. */
  readonly hash: string
  /** The exact command, or the address and header names; no value of the environment. */
  readonly text: string
}

function hashOf(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)
}

function commandSubject(server: StdioServer): ConsentSubject {
  const variables = Object.entries(server.env).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const environment = variables.length === 0 ? '' : ` (environment: ${variables.map(([name]) => name).join(', ')})`
  return {
    kind: 'command',
    // Values count: PATH or NODE_OPTIONS make another program of the same command.
    hash: hashOf(['stdio', server.command, server.args, variables, server.cwd]),
    text: [server.command, ...server.args].map(quoted).join(' ') + environment,
  }
}

function isLoopback(address: string): boolean {
  try {
    return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(address).hostname)
  } catch {
    // Not an address; the connection will say so, after a person allowed it.
    return false
  }
}

function holdsReference(text: string): boolean {
  return /(?<!\$)\$\{/.test(text)
}

function referencesSubject(
  server: HttpServer,
  environment: Readonly<Record<string, string | undefined>>,
): ConsentSubject | undefined {
  const headers = Object.entries(server.headers)
  if (![server.url, ...headers.map(([, value]) => value)].some(holdsReference)) return undefined
  const expanded = expandReferences(server.url, environment)
  if (isLoopback(expanded.value)) return undefined
  const names = headers.filter(([, value]) => holdsReference(value)).map(([name]) => name)
  return {
    kind: 'references',
    hash: hashOf(['http', server.url, headers.toSorted()]),
    text: names.length === 0 ? server.url : `${server.url} (headers: ${names.join(', ')})`,
  }
}

/**
 * What a server of a workspace file needs allowed before it is started: a local command when `askBeforeCommands` is on, and
 * always the environment's values that would go to a remote address. `undefined`: nothing.
 */
export function consentSubject(
  server: ServerDefinition,
  environment: Readonly<Record<string, string | undefined>>,
  askBeforeCommands: boolean,
): ConsentSubject | undefined {
  if (server.type === 'http') return referencesSubject(server, environment)
  return askBeforeCommands ? commandSubject(server) : undefined
}
