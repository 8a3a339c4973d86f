import type { ZodType } from 'zod'
import { impossible } from './impossible-server.ts'
import type {
  AuthMode,
  HttpServer,
  OAuthRecord,
  ServerDefinition,
  ServerSource,
  StdioServer,
} from './server-definition.ts'
import { readTimeout } from './timeout.ts'

/** What a record is read as: a definition, or one line that says what is wrong with it. */
export type ParsedServer =
  | { readonly ok: true; readonly server: ServerDefinition }
  | { readonly ok: false; readonly problem: string }

/** Where a record stands; in a workspace file the name is the key of the entry. */
export interface RecordPlace {
  readonly id: string
  readonly name: unknown
  readonly source: ServerSource
  /** Working directory of a stdio server that names none. */
  readonly defaultCwd?: string
  /** OAuth record kept elsewhere, for a server of a workspace. */
  readonly oauth?: OAuthRecord
}

/** Reads one server record. */
export type ServerParser = (raw: unknown, place: RecordPlace) => ParsedServer

/** Names of servers. */
export const serverNamePattern = /^[A-Za-z0-9_-]{1,32}$/

function text(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

/** A map as such, or as the list of `{ name or key, value }` that old files hold. Entries without a name are dropped. */
export function readMap(value: unknown): unknown {
  if (value === undefined || value === null) return {}
  if (!Array.isArray(value)) {
    if (typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, text(entry)]))
  }
  const entries: [string, unknown][] = []
  for (const item of value as unknown[]) {
    if (typeof item !== 'object' || item === null) continue
    const record = item as Record<string, unknown>
    const name = record.name ?? record.key
    if (typeof name !== 'string' || name === '') continue
    entries.push([name, text(record.value ?? '')])
  }
  return Object.fromEntries(entries)
}

function lines(error: {
  readonly issues: readonly { readonly path: PropertyKey[]; readonly message: string }[]
}): string {
  return error.issues
    .map((issue) => (issue.path.length === 0 ? issue.message : `${issue.path.map(String).join('.')}: ${issue.message}`))
    .join('; ')
}

/** How other clients write the two kinds over HTTP; which of them a server speaks is found out. */
const httpWords = new Set<unknown>(['sse', 'streamable-http', 'streamableHttp', 'http-sse'])

/** The kind of a record. Other clients' files leave it out for local programs: a command and no address mean one. */
export function kindOf({ type, command, url }: Readonly<Record<string, unknown>>): unknown {
  if (type === undefined || type === null || type === '') {
    return command !== undefined && url === undefined ? 'stdio' : 'http'
  }
  return httpWords.has(type) ? 'http' : type
}

async function buildParser(): Promise<ServerParser> {
  const z = await import('zod')
  const unlessBlank = <Schema extends ZodType>(schema: Schema) =>
    z.preprocess((value) => (value === null || value === '' ? undefined : value), schema)
  const optionalText = unlessBlank(z.string().max(512).optional())
  const map = z.preprocess(readMap, z.record(z.string(), z.string({ error: 'values must be text' })))
  const variable = unlessBlank(
    z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is no name of an environment variable')
      .optional(),
  )
  const common = {
    enabled: z.preprocess((value) => value !== false, z.boolean()),
    timeout: z.preprocess(readTimeout, z.number().optional()),
  }
  const name = z
    .string({ error: 'name is missing' })
    .regex(serverNamePattern, 'name must be 1 to 32 of A-Z a-z 0-9 _ -')
  const stdio = z.object({
    ...common,
    command: z
      .string({ error: 'is missing: give the program to start' })
      .trim()
      .min(1, 'is empty: give the program to start'),
    args: z.preprocess(
      (value) => (Array.isArray(value) ? value.map(text) : (value ?? [])),
      z.array(z.string({ error: 'must be text' }), { error: 'must be a list, one entry per argument' }),
    ),
    env: map,
    cwd: unlessBlank(z.string().optional()),
  })
  const oauth = z.custom<OAuthRecord>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
  const http = z.object({
    ...common,
    url: z
      .string({ error: 'is missing: give the address of the server' })
      .trim()
      .regex(/^(https?:\/\/|\$\{)/i, 'must begin with http:// or https://'),
    headers: map,
    headerEnv: map,
    authMode: z.preprocess(
      (value): AuthMode => (value === 'static' || value === 'none' ? value : 'oauth'),
      z.enum(['oauth', 'static', 'none']),
    ),
    tokenEnv: optionalText,
    staticToken: z.preprocess((value) => (value === '' ? undefined : value), z.string().optional().catch(undefined)),
    clientId: optionalText,
    clientSecretEnv: variable,
    scope: optionalText,
    oauthGrant: unlessBlank(
      z
        .enum(['authorization_code', 'client_credentials'], {
          error: 'must be authorization_code or client_credentials',
        })
        .optional(),
    ),
    oauthResource: unlessBlank(z.boolean({ error: 'must be true or false' }).optional()),
    privateKeyEnv: variable,
    privateKeyAlgorithm: unlessBlank(
      z
        .string()
        .regex(/^(?:[REP]S(?:256|384|512)|Ed25519|EdDSA)$/, 'is no known signature algorithm, such as ES256 or RS256')
        .optional(),
    ),
    oauth: oauth.optional().catch(undefined),
  })
  const object = z.record(z.string(), z.unknown())

  return (raw, place) => {
    const named = name.safeParse(place.name)
    const label = typeof place.name === 'string' && place.name !== '' ? `server "${place.name}"` : `server ${place.id}`
    const failed = (problem: string): ParsedServer => ({ ok: false, problem: `${label}: ${problem}` })
    if (!named.success) return failed(named.error.issues[0]!.message)
    const record = object.safeParse(raw)
    if (!record.success) return failed('is not an object')
    const possible = (server: ServerDefinition): ParsedServer => {
      const problem = impossible(server)
      return problem === undefined ? { ok: true, server } : failed(problem)
    }
    const type = kindOf(record.data)
    const shared = { id: place.id, name: named.data, source: place.source, raw: record.data }
    if (type === 'stdio') {
      const parsed = stdio.safeParse(record.data)
      if (!parsed.success) return failed(lines(parsed.error))
      const cwd = parsed.data.cwd ?? place.defaultCwd
      const server: StdioServer = { ...shared, ...parsed.data, ...(cwd !== undefined && { cwd }), type }
      return possible(server)
    }
    if (type === 'http') {
      const parsed = http.safeParse(record.data)
      if (!parsed.success) return failed(lines(parsed.error))
      const server: HttpServer = { ...shared, ...parsed.data, type, oauth: place.oauth ?? parsed.data.oauth }
      return possible(server)
    }
    return failed(`type: must be "stdio" or "http", not ${JSON.stringify(type)}`)
  }
}

let parser: Promise<ServerParser> | undefined

/** The parser of server records. Loads the validation library at first use, which takes some 80 ms. */
export function loadServerParser(): Promise<ServerParser> {
  parser ??= buildParser()
  return parser
}
