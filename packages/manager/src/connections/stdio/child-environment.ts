/** The environment of a child process, and which inherited names were left out. */
export interface ChildEnvironment {
  readonly env: Record<string, string>
  readonly scrubbed: readonly string[]
}

/** Inherited names that are not passed on: the rule DSH itself applies before it starts an MCP server. */
const secretName = /KEY|PASSWORD|SECRET|TOKEN/i
const hostName = /^DSH_/i

/** Whether a variable of this name usually holds a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name)
}

/**
 * What a server's process gets: the inherited environment without names that look like secrets and without the host's own
 * (`DSH_*`), then the server's `env`, which is passed on whatever its names.
 */
export function childEnvironment(
  inherited: Readonly<Record<string, string | undefined>>,
  declared: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): ChildEnvironment {
  const same = (name: string): string => (platform === 'win32' ? name.toUpperCase() : name)
  const own = new Set(Object.keys(declared).map(same))
  const env: Record<string, string> = {}
  const scrubbed: string[] = []
  for (const [name, value] of Object.entries(inherited)) {
    if (value === undefined || own.has(same(name))) continue
    if (isSecretName(name) || hostName.test(name)) scrubbed.push(name)
    else env[name] = value
  }
  return { env: { ...env, ...declared }, scrubbed: scrubbed.toSorted() }
}
