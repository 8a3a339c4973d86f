/** The environment of a child process, and which inherited names were left out. */
export interface ChildEnvironment {
  readonly env: Record<string, string>
  readonly scrubbed: readonly string[]
}

/** Inherited names that are not passed on: the rule DSH itself applies before it starts an MCP server, and more of its kind. */
const secretName = /KEY|PASSW|PASSPHRASE|SECRET|TOKEN|CREDENTIAL|_(?:PAT|PWD|PASS|AUTH|DSN|COOKIE)$/i
const hostName = /^DSH_/i
/** A URL with a password, as databases are given by. Proxies are: a program without its proxy reaches nothing. */
const urlWithPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i
const proxyName = /_proxy$/i

/** Whether a variable of this name usually holds a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name)
}

function isSecret(name: string, value: string): boolean {
  return isSecretName(name) || (urlWithPassword.test(value) && !proxyName.test(name))
}

/**
 * What a server's process gets: the inherited environment without what looks like a secret and without the host's own
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
    if (isSecret(name, value) || hostName.test(name)) scrubbed.push(name)
    else env[name] = value
  }
  return { env: { ...env, ...declared }, scrubbed: scrubbed.toSorted() }
}
