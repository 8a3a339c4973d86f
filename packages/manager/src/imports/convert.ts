import { oauthMembers, serverNamePattern } from '../config/index.ts'

/** A foreign entry in this plugin's own terms. */
export interface ConvertedServer {
  readonly name: string
  /** Fields of a server record, values in clear. */
  readonly definition: Readonly<Record<string, unknown>>
  /** What a person should know: left out, changed, or to be set. */
  readonly notes: readonly string[]
  /** Why it cannot be imported. */
  readonly problem?: string
}

type Fields = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `[A-Za-z0-9_-]{1,32}`, close to the given name, not in `taken`. */
export function importName(given: string, taken: ReadonlySet<string>): string {
  const clean = given
    .trim()
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 32)
  const base = serverNamePattern.test(clean) ? clean : 'server'
  let name = base
  for (let count = 2; taken.has(name); count++) name = `${base.slice(0, 32 - String(count).length - 1)}_${count}`
  return name
}

/** References of other programs in this plugin's spelling: `${env:X}` and `${input:x}` become `${X}`. */
function translate(value: string, notes: string[]): string {
  return value
    .replaceAll(/\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g, '${$1}')
    .replaceAll(/\$\{input:([^}]+)\}/g, (_all, id: string) => {
      const variable = id
        .toUpperCase()
        .replaceAll(/[^A-Z0-9_]/g, '_')
        .replace(/^(\d)/, '_$1')
      notes.push(`it asks for "${id}": set the variable ${variable} before DSH starts`)
      return `\${${variable}}`
    })
    .replaceAll(/\$\{(workspaceFolder|userHome|pathSeparator|\/)[^}]*\}/g, (all: string) => {
      notes.push(`${all} means nothing here: replace it`)
      return all
    })
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function texts(value: unknown, notes: string[]): Record<string, string> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => ['string', 'number', 'boolean'].includes(typeof entry))
      .map(([name, entry]) => [name, translate(String(entry), notes)]),
  )
}

const list = (value: unknown, notes: string[]): string[] =>
  Array.isArray(value) ? value.map((entry) => translate(String(entry), notes)) : []

function stdio(entry: Fields, command: string, notes: string[]): Record<string, unknown> {
  const env = texts(entry['env'], notes)
  // Codex names variables of its own environment that the program may see
  for (const name of list(entry['env_vars'], notes)) env[name] ??= `\${${name}}`
  const cwd = text(entry['cwd'])
  if (entry['envFile'] !== undefined) notes.push('envFile is not read: copy its variables')
  return {
    type: 'stdio',
    command: translate(command, notes),
    args: list(entry['args'], notes),
    env,
    ...(cwd !== undefined && { cwd: translate(cwd, notes) }),
  }
}

/** A bearer header that is one reference is the static mode; any other credential stays a header of its own. */
function http(entry: Fields, url: string, notes: string[]): Record<string, unknown> {
  const headers = texts(entry['headers'] ?? entry['http_headers'] ?? entry['requestInit'], notes)
  const headerEnv = texts(entry['env_http_headers'] ?? entry['headerEnv'], notes)
  let tokenEnv = text(entry['bearer_token_env_var']) ?? text(entry['tokenEnv'])
  const own = Object.keys(headers).find((name) => name.toLowerCase() === 'authorization')
  const reference = own === undefined ? undefined : /^Bearer \$\{([A-Za-z_][A-Za-z0-9_]*)\}$/i.exec(headers[own]!)?.[1]
  if (reference !== undefined) {
    tokenEnv ??= reference
    delete headers[own!]
  }
  const hasCredential = (own !== undefined && reference === undefined) || Object.keys(headerEnv).some(isCredential)
  const named = entry['authMode']
  const authMode = named ?? (tokenEnv !== undefined ? 'static' : hasCredential ? 'none' : 'oauth')
  const oauth = isRecord(entry['oauth']) ? entry['oauth'] : isRecord(entry['auth']) ? entry['auth'] : {}
  const clientId =
    text(entry['clientId']) ?? text(oauth['clientId']) ?? text(oauth['client_id']) ?? text(oauth['CLIENT_ID'])
  return {
    type: 'http',
    url: translate(url, notes),
    authMode,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(Object.keys(headerEnv).length > 0 && { headerEnv }),
    ...(tokenEnv !== undefined && { tokenEnv }),
    ...(authMode === 'oauth' && { ...ownOAuth(entry), ...(clientId !== undefined && { clientId }) }),
  }
}

/** What this plugin's own export says of the login, as it stands: a wrong value is told when the entry is checked. */
const ownOAuth = (entry: Fields): Record<string, unknown> =>
  Object.fromEntries(oauthMembers.filter((name) => entry[name] !== undefined).map((name) => [name, entry[name]]))

const isCredential = (name: string): boolean => /^authorization$/i.test(name)

function common(entry: Fields): Record<string, unknown> {
  const seconds = entry['tool_timeout_sec']
  const timeout = typeof seconds === 'number' ? seconds * 1000 : entry['timeout']
  const off = entry['disabledTools'] ?? entry['disabled_tools']
  const isOff = entry['enabled'] === false || entry['disabled'] === true
  return {
    ...(typeof timeout === 'number' && timeout >= 1000 && { timeout }),
    ...(Array.isArray(off) && off.length > 0 && { disabledTools: off.map(String) }),
    ...(isOff && { enabled: false }),
  }
}

/** One foreign entry, converted. Never throws: what is wrong is in `problem`. */
export function convertServer(given: string, entry: Fields, taken: ReadonlySet<string>): ConvertedServer {
  const notes: string[] = []
  const name = importName(given, taken)
  const command = text(entry['command'])
  const url = text(entry['url']) ?? text(entry['serverUrl']) ?? text(entry['httpUrl'])
  if (Array.isArray(entry['enabled_tools'])) notes.push('enabled_tools is not taken over: switch tools off one by one')
  if (command !== undefined) {
    return { name, definition: { ...stdio(entry, command, notes), ...common(entry) }, notes }
  }
  if (url !== undefined) return { name, definition: { ...http(entry, url, notes), ...common(entry) }, notes }
  return { name, definition: {}, notes, problem: 'it has neither a command nor a url' }
}
