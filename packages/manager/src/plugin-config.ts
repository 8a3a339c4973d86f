import { readTimeout } from './config/timeout.ts'

/** The `config` of the plugin's row in `cordis.patch.yml`. */
export interface ManagerConfig {
  /** Origins under which the page is reached from outside, such as `https://harness.example`; see the OAuth callback. */
  readonly publicOrigins: readonly string[]
  /** Budget of a tool call in milliseconds, where the server has none of its own. */
  readonly toolCallTimeoutMs: number
  /** How long a new agent waits for servers that are in their first connection attempt, in milliseconds; 0 = not at all. */
  readonly firstConnectWaitMs: number
  /** Whether a command that a workspace file declares must be allowed by a person before its first start. */
  readonly askBeforeWorkspaceCommands: boolean
  /** https URL of a Client ID Metadata Document the operator publishes for this client (MCP authorization, SEP-991). */
  readonly clientMetadataUrl: string | undefined
  /** Values that could not be used, in words; the defaults stand in. */
  readonly problems: readonly string[]
}

export const defaults: ManagerConfig = {
  publicOrigins: [],
  toolCallTimeoutMs: 60_000,
  firstConnectWaitMs: 5_000,
  askBeforeWorkspaceCommands: false,
  clientMetadataUrl: undefined,
  problems: [],
}

/** Longest wait for first connections: an agent must not look dead. */
const longestWaitMs = 60_000

/** Reads a row's config. Never refuses: the host would not start, and a slip in one value is no reason for that. */
export function readConfig(input: unknown): ManagerConfig {
  const given = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {}
  const problems: string[] = []
  const read = <T>(key: string, fallback: T, wanted: string, parse: (value: unknown) => T | undefined): T => {
    const value = given[key]
    if (value === undefined || value === null) return fallback
    const parsed = parse(value)
    if (parsed !== undefined) return parsed
    problems.push(`config.${key} must be ${wanted}; using ${JSON.stringify(fallback) ?? 'none'}`)
    return fallback
  }
  const readSwitch = (key: string, fallback: boolean, safe: boolean): boolean => {
    const value = given[key] ?? fallback
    if (typeof value === 'boolean') return value
    problems.push(`config.${key} must be true or false; using ${safe}`)
    return safe
  }
  const readWait = (value: unknown): number | undefined => {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return undefined
    return Math.min(number, longestWaitMs)
  }
  const readOrigins = (value: unknown): readonly string[] | undefined => {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    return list.every((entry) => typeof entry === 'string') ? list : undefined
  }
  const readDocumentUrl = (value: unknown): string | undefined => {
    const url = typeof value === 'string' ? URL.parse(value) : null
    return url?.protocol === 'https:' && url.pathname !== '/' ? String(value) : undefined
  }
  return {
    publicOrigins: read('publicOrigins', defaults.publicOrigins, 'a list of origins', readOrigins),
    toolCallTimeoutMs: read(
      'toolCallTimeoutMs',
      defaults.toolCallTimeoutMs,
      'milliseconds, at least 1000',
      readTimeout,
    ),
    firstConnectWaitMs: read('firstConnectWaitMs', defaults.firstConnectWaitMs, 'milliseconds, 0 or more', readWait),
    askBeforeWorkspaceCommands: readSwitch(
      'askBeforeWorkspaceCommands',
      defaults.askBeforeWorkspaceCommands,
      // Somebody meant to say something about it: asking harms nobody.
      true,
    ),
    clientMetadataUrl: read(
      'clientMetadataUrl',
      defaults.clientMetadataUrl,
      'an https URL with a path',
      readDocumentUrl,
    ),
    problems,
  }
}

/** Standard Schema v1, written by hand: a schema library would delay the host's start. */
export const Config = {
  '~standard': { version: 1, vendor: 'dsh-mcp', validate: (input: unknown) => ({ value: readConfig(input) }) },
} as const
