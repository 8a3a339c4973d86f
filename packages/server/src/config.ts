import { isAbsolute } from 'node:path'

/** The `config` of the plugin's row in `cordis.patch.yml`. */
export interface ServerConfig {
  /** Whether the host's own connection fence may let callers in without a token, where it authenticates them. */
  readonly allowConnectionAuth: boolean
  /** Largest request body in bytes. */
  readonly maxBodyBytes: number
  /** Where the endpoint file and the token live. Default: `mcp` below the home of the harness. */
  readonly endpointDirectory?: string
  /** A fixed token instead of the generated one. */
  readonly token?: string
  /** Appended to the instructions that clients give their model. */
  readonly instructions?: string
  /** Serialized origins under which the endpoint is reached from outside, such as `https://harness.example`. */
  readonly publicOrigins: readonly string[]
  /** Absolute directories in which sessions may work; empty for any. */
  readonly allowedRoots: readonly string[]
  /** The widest permission preset a session may have that an MCP client drives. */
  readonly maxPermissionPreset: string
  /** Whether an MCP client may allow a tool call that waits for approval. */
  readonly allowApprovals: boolean
}

const mebibyte = 1024 * 1024

export const bodyLimits = { default: 8 * mebibyte, min: 1024, max: 64 * mebibyte } as const

/** Shorter ones could be guessed. */
const minTokenLength = 16

interface Issue {
  readonly message: string
  readonly path: readonly string[]
}

type Validation = { readonly value: ServerConfig } | { readonly issues: readonly Issue[] }

/** Standard Schema v1, written by hand: the host validates while it starts, and a schema library would delay that. */
export const Config = {
  '~standard': { version: 1, vendor: 'dsh-mcp', validate: validateConfig },
} as const

/** Fills defaults and clamps `maxBodyBytes` to 1 KiB … 64 MiB. A value of the wrong type is an issue, not a default. */
export function validateConfig(input: unknown): Validation {
  const given: Readonly<Record<string, unknown>> = isRecord(input) ? input : {}
  const issues: Issue[] = []
  if (input !== undefined && input !== null && !isRecord(input)) issues.push({ message: 'must be an object', path: [] })
  const read = <T>(key: string, fallback: T, wanted: string, accepts: (value: unknown) => value is T): T => {
    const value = given[key]
    if (value === undefined || value === null) return fallback
    if (accepts(value)) return value
    issues.push({ message: `must be ${wanted}`, path: [key] })
    return fallback
  }
  const token = read('token', undefined, `a string of ${minTokenLength} or more`, isToken)
  const publicOrigins = read<readonly string[]>(
    'publicOrigins',
    [],
    'a list of origins such as https://host',
    isOrigins,
  )
  const value: ServerConfig = {
    allowConnectionAuth: read<boolean>('allowConnectionAuth', true, 'true or false', isBoolean),
    maxBodyBytes: clamp(read('maxBodyBytes', bodyLimits.default, 'a number of bytes', isFiniteNumber)),
    endpointDirectory: read('endpointDirectory', undefined, 'a path', isText),
    token,
    instructions: read('instructions', undefined, 'a string', isString),
    publicOrigins,
    allowedRoots: read<readonly string[]>('allowedRoots', [], 'a list of absolute paths', isAbsolutePaths),
    maxPermissionPreset: read('maxPermissionPreset', 'danger-full-access', 'the name of a permission preset', isText),
    allowApprovals: read<boolean>('allowApprovals', true, 'true or false', isBoolean),
  }
  return issues.length === 0 ? { value } : { issues }
}

function clamp(bytes: number): number {
  return Math.min(bodyLimits.max, Math.max(bodyLimits.min, Math.floor(bytes)))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** A header value: no white space and nothing outside visible ASCII. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length >= minTokenLength && /^[\x21-\x7e]+$/.test(value)
}

function isAbsolutePaths(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => isString(entry) && isAbsolute(entry))
}

function isOrigins(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.every((entry) => isString(entry) && URL.canParse(entry) && new URL(entry).origin === entry)
  )
}
