import { createHash } from 'node:crypto'
import { newServerId, oauthMembers, type ServerDefinition, type StateServerRecord } from '../config/index.ts'
import { redact } from '../diagnostics/index.ts'
import { convertServer, findServers, type ConvertedServer } from '../imports/index.ts'
import type { ExportReply, ImportEntry, ImportPreviewReply, ImportReply } from './api-types.ts'
import { ApiError } from './errors.ts'
import { isReference, mask, maskUrl, maskValues, replaceSecretsInUrl } from './mask.ts'
import type { ApiParts } from './parts.ts'
import type { Call, Route } from './router.ts'
import { newRecord } from './server-fields.ts'
import { checkRecord } from './server-routes.ts'

/** Previews kept for the import that follows, and for how long (milliseconds). */
const maxRemembered = 200
const rememberMs = 15 * 60_000

type Fields = Readonly<Record<string, unknown>>

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && Object.values(value).every((entry) => typeof entry === 'string')

/** The definition as every answer shows it: values of `env` and `headers` and credentials of the address masked. */
function masked(definition: Fields): Record<string, unknown> {
  const shown: Record<string, unknown> = { ...definition }
  for (const field of ['env', 'headers']) if (isTexts(shown[field])) shown[field] = maskValues(shown[field])
  if (typeof shown['url'] === 'string') shown['url'] = maskUrl(shown['url'])
  return shown
}

const keyOf = (definition: Fields): string =>
  createHash('sha256').update(JSON.stringify(definition)).digest('base64url')

/** Secrets of a preview, kept here so that they need not travel to the page and back. */
interface Remembered {
  readonly definition: Fields
  readonly until: number
}

function summaryOf({ definition, notes }: ConvertedServer): string {
  const what =
    definition['type'] === 'stdio'
      ? [definition['command'], ...(Array.isArray(definition['args']) ? definition['args'] : [])].map(String).join(' ')
      : typeof definition['url'] === 'string'
        ? definition['url']
        : ''
  return redact([what, ...new Set(notes)].filter((line) => line !== '').join(' - '))
}

async function previewEntry(
  parts: ApiParts,
  remembered: Map<string, Remembered>,
  [given, raw]: readonly [string, Fields],
  seen: Set<string>,
): Promise<ImportEntry> {
  const converted = convertServer(given, raw, seen)
  const { name, definition } = converted
  seen.add(name)
  const shown = masked(definition)
  let { problem } = converted
  if (problem === undefined) {
    try {
      await checkRecord({ ...definition, name }, 'import')
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
    }
  }
  remembered.set(keyOf(shown), { definition, until: Date.now() + rememberMs })
  const names = [
    ...parts.state.current().servers.map((server) => server.name),
    ...parts.connections.list().map((one) => one.serverName),
  ]
  return {
    name,
    definition: shown,
    summary: summaryOf(converted),
    taken: names.includes(name),
    ...(problem !== undefined && { problem }),
  }
}

function forgetOld(remembered: Map<string, Remembered>): void {
  const now = Date.now()
  for (const [key, { until }] of remembered) if (until < now || remembered.size > maxRemembered) remembered.delete(key)
}

/** The definition an entry stands for: with its masked values as the preview found them. */
function definitionOf(remembered: Map<string, Remembered>, given: Fields): Fields {
  if (!JSON.stringify(given).includes(mask)) return given
  const known = remembered.get(keyOf(given))
  if (known === undefined || known.until < Date.now()) {
    throw new ApiError(410, 'the preview of this entry is no longer there: paste the configuration again')
  }
  return known.definition
}

interface Wanted {
  readonly name: string
  readonly definition: Fields
}

function wantedEntries(body: Call['body']): Wanted[] {
  const { entries } = body
  if (!Array.isArray(entries) || entries.length === 0)
    throw new ApiError(400, 'entries is missing: choose at least one', 'entries')
  return entries.map((entry: unknown) => {
    const { name, definition } = (entry ?? {}) as { name?: unknown; definition?: unknown }
    if (typeof name !== 'string' || typeof definition !== 'object' || definition === null) {
      throw new ApiError(400, 'each entry needs a name and a definition', 'entries')
    }
    return { name, definition: definition as Fields }
  })
}

async function importOne(
  parts: ApiParts,
  remembered: Map<string, Remembered>,
  { name, definition }: Wanted,
  signal: AbortSignal,
): Promise<ImportReply['results'][number]> {
  try {
    const full = definitionOf(remembered, definition)
    const id = newServerId()
    const off = full['disabledTools']
    const record: StateServerRecord = {
      id,
      ...newRecord({ ...full, name }),
      ...(Array.isArray(off) && { disabledTools: off }),
    }
    await checkRecord(record, id)
    await parts.state.update(
      (draft) => {
        const isTaken =
          draft.servers.some((server) => server['name'] === name) ||
          parts.connections.list().some((one) => one.serverName === name)
        if (isTaken) throw new ApiError(409, `the name "${name}" is taken by another server`)
        draft.servers.push(record)
      },
      { signal },
    )
    return { name, ok: true }
  } catch (error) {
    return { name, ok: false, error: error instanceof Error ? error.message : String(error) }
  }
}

/** A variable name for a secret that does not leave with an export. */
const variable = (...parts: readonly string[]): string =>
  `\${${parts
    .join('_')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9_]/g, '_')
    .replace(/^(\d)/, '_$1')}}`

const references = (values: Readonly<Record<string, string>>, ...before: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === '' || isReference(value) ? value : variable(...before, name),
    ]),
  )

function exported(server: ServerDefinition): Record<string, unknown> {
  const off = server.raw['disabledTools']
  const more = {
    ...(server.timeout !== undefined && { timeout: server.timeout }),
    ...(Array.isArray(off) && off.length > 0 && { disabledTools: off }),
    ...(!server.enabled && { enabled: false }),
  }
  if (server.type === 'stdio') {
    const { command, args, env, cwd } = server
    return { type: 'stdio', command, args, env: references(env), ...(cwd !== undefined && { cwd }), ...more }
  }
  const { url, authMode, headers, headerEnv } = server
  const members = ['tokenEnv', ...(authMode === 'oauth' ? oauthMembers : [])] as const
  return {
    type: 'http',
    url: replaceSecretsInUrl(url, (name) => variable(server.name, name)),
    authMode,
    headers: references(headers, server.name),
    headerEnv,
    ...Object.fromEntries(members.map((name) => [name, server[name]]).filter(([, value]) => value !== undefined)),
    ...more,
  }
}

/** Taking servers over from other programs' files, and handing ours out without secrets. */
export function importRoutes(parts: ApiParts): readonly Route[] {
  const remembered = new Map<string, Remembered>()
  return [
    {
      method: 'POST',
      path: '/api/import/preview',
      body: true,
      handle: async ({ body }): Promise<ImportPreviewReply> => {
        if (typeof body['text'] !== 'string') throw new ApiError(400, 'text is missing: paste a configuration', 'text')
        const found = await findServers(body['text']).catch((error: unknown) => {
          throw new ApiError(400, error instanceof Error ? error.message : String(error), 'text')
        })
        forgetOld(remembered)
        const seen = new Set<string>()
        const entries: ImportEntry[] = []
        for (const server of found.servers) entries.push(await previewEntry(parts, remembered, server, seen))
        return { format: found.format, entries }
      },
    },
    {
      method: 'POST',
      path: '/api/import',
      body: true,
      handle: async ({ body, signal }): Promise<ImportReply> => {
        const results: ImportReply['results'][number][] = []
        for (const wanted of wantedEntries(body)) results.push(await importOne(parts, remembered, wanted, signal))
        return { results }
      },
    },
    {
      method: 'GET',
      path: '/api/export',
      handle: (): ExportReply => ({
        mcpServers: Object.fromEntries(parts.state.current().servers.map((server) => [server.name, exported(server)])),
      }),
    },
  ]
}
