import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** Values that must stay where they were put: in the state file and in the environment of the one server they are for. */
export interface Secrets {
  readonly env: string
  readonly header: string
  readonly accessToken: string
  readonly refreshToken: string
  readonly clientSecret: string
}

/** Draws fresh ones; none is a word that could stand anywhere by chance. */
export function drawSecrets(): Secrets {
  const draw = (kind: string): string => `${kind}${randomBytes(18).toString('hex')}`
  return {
    env: draw('env'),
    header: draw('hdr'),
    accessToken: draw('acc'),
    refreshToken: draw('ref'),
    clientSecret: draw('sec'),
  }
}

/** Files below the home that are meant to hold a secret. */
const keepers = new Set(['mcp-manager.json', 'mcp/dsh-mcp-endpoint.json', 'mcp/dsh-mcp-token'])

/** Those of them that somebody else than their owner may read or write. */
export async function filesOpenToOthers(home: string): Promise<readonly string[]> {
  const open: string[] = []
  for (const name of keepers) {
    const found = await stat(join(home, name)).catch(() => undefined)
    if (found !== undefined && (found.mode & 0o077) !== 0) open.push(name)
  }
  return open
}

/** Nothing of ours is written there, and it is large. */
const skipped = new Set(['node_modules', '.git'])

const largest = 16 * 1024 * 1024

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !skipped.has(entry.name)) yield* filesBelow(path)
    else if (entry.isFile()) yield path
  }
}

/** The places (`file: kind of secret`) below a home that hold a secret and should not. */
export async function leaksInFiles(home: string, secrets: Iterable<string>): Promise<readonly string[]> {
  const found: string[] = []
  for await (const path of filesBelow(home)) {
    const name = relative(home, path)
    if (keepers.has(name)) continue
    const size = (await stat(path).catch(() => undefined))?.size ?? 0
    if (size === 0 || size > largest) continue
    const text = await readFile(path, 'latin1').catch(() => '')
    for (const secret of secrets) if (text.includes(secret)) found.push(`${name}: ${secret.slice(0, 3)}…`)
  }
  return found
}

/** Collects what the product answered and tells whether a secret stood in it; keeps no text. */
export interface LeakWatch {
  readonly leaks: readonly string[]
  /** All that is looked for. */
  readonly secrets: ReadonlySet<string>
  see(where: string, text: string): void
  /** Looks for one more from now on. */
  keep(secret: string): void
}

/** Begins with the given secrets. */
export function createLeakWatch(drawn: readonly string[]): LeakWatch {
  const secrets = new Set(drawn)
  const leaks: string[] = []
  return {
    leaks,
    secrets,
    see(where, text) {
      for (const secret of secrets) if (text.includes(secret)) leaks.push(`${where}: ${secret.slice(0, 3)}…`)
    },
    keep: (secret) => void secrets.add(secret),
  }
}
