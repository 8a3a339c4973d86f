import { createHash } from 'node:crypto'

/** Longest function name model providers accept. */
const maxLength = 64
const hashLength = 12
const unsafe = /[^A-Za-z0-9_-]/g

const identityHash = (server: string, raw: string): string =>
  createHash('sha256').update(`${server}\0${raw}`).digest('hex').slice(0, hashLength)

const joined = (server: string, raw: string): string => `mcp__${server}__${raw}`.replace(unsafe, '_')

const hashed = (server: string, raw: string): string =>
  `${joined(server, raw).slice(0, maxLength - hashLength - 1)}_${identityHash(server, raw)}`

/**
 * The name under which the model sees one MCP tool: `mcp__<server>__<raw>`, `[A-Za-z0-9_-]{1,64}`.
 *
 * When a character had to be replaced or the name had to be cut, the name is cut to 51 characters and gets `_` and 12 hex
 * digits of SHA-256 over server, NUL and raw name, so that distinct tools keep distinct names. This is the rule of the
 * harness's built-in MCP client (observed on DSH 0.1.0-rc.8). The raw name is never parsed back out of it.
 *
 * ```ts
 * publicToolName('github', 'create_issue') // 'mcp__github__create_issue'
 * publicToolName('tiny', 'a.very/odd name') // 'mcp__tiny__a_very_odd_name_a15c50195c1b'
 * ```
 */
export function publicToolName(server: string, raw: string): string {
  const name = joined(server, raw)
  return name === `mcp__${server}__${raw}` && name.length <= maxLength ? name : hashed(server, raw)
}

/**
 * The name earlier MCP plugins gave the same tool: a replaced character alone added no hash. Saved sessions, switches and
 * permission rules may still hold it.
 */
export function legacyToolName(server: string, raw: string): string {
  const name = joined(server, raw)
  return name.length <= maxLength ? name : hashed(server, raw)
}

/** Whether `name` means this tool: its raw name, its public name, or the name earlier plugins gave it. */
export const meansTool = (name: string, server: string, raw: string): boolean =>
  name === raw || name === publicToolName(server, raw) || name === legacyToolName(server, raw)

/**
 * One public name for each raw name of a server's list, all distinct. A raw name that spells another tool's hashed name,
 * or a name in `taken`, gets its own hash as well. Hashed names come first, so the answer does not depend on list order.
 */
export function assignToolNames(
  server: string,
  raws: readonly string[],
  taken: (name: string) => boolean = () => false,
): Map<string, string> {
  const names = new Map<string, string>()
  const used = new Set<string>()
  const clean: string[] = []
  for (const raw of new Set(raws)) {
    const name = publicToolName(server, raw)
    if (name === joined(server, raw)) clean.push(raw)
    else {
      names.set(raw, name)
      used.add(name)
    }
  }
  for (const raw of clean) {
    const wanted = joined(server, raw)
    const name = used.has(wanted) || taken(wanted) ? hashed(server, raw) : wanted
    names.set(raw, name)
    used.add(name)
  }
  return names
}
