/** What a server said about authorization with a 401 or 403 (RFC 6750 §3, RFC 9728 §5.1). */
export interface BearerChallenge {
  /** `resource_metadata`, as given. */
  readonly resourceMetadata?: string
  readonly scope?: string
  readonly error?: string
  readonly errorDescription?: string
}

interface AuthChallenge {
  readonly scheme: string
  readonly parameters: ReadonlyMap<string, string>
}

const token = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y
const quoted = /"((?:[^"\\]|\\.)*)"/y
const token68 = /[A-Za-z0-9\-._~+/]+=*(?=\s*(?:,|$))/y
const separators = /[\s,]*/y
const equals = /\s*=\s*/y
const unquotedValue = /[^\s,"]+/y

/**
 * Reads the challenges of a `WWW-Authenticate` field (RFC 9110 §11.6.1). Several fields joined by commas, several
 * schemes in one field, quoted commas, token68 credentials and unquoted URLs are all understood. Text that is no
 * challenge ends the reading; what was read before it counts.
 */
function parseChallenges(field: string): AuthChallenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(field)
    if (match === null) return undefined
    at = pattern.lastIndex
    return match[1] ?? match[0]
  }
  for (;;) {
    take(separators)
    const word = take(token)
    if (word === undefined) return challenges
    const current = challenges.at(-1)
    if (take(equals) !== undefined && current !== undefined) {
      const inQuotes = take(quoted)
      const value = inQuotes === undefined ? take(unquotedValue) : inQuotes.replace(/\\(.)/g, '$1')
      if (value === undefined) return challenges
      const name = word.toLowerCase()
      if (!current.parameters.has(name)) current.parameters.set(name, value)
      continue
    }
    challenges.push({ scheme: word.toLowerCase(), parameters: new Map() })
    const beforeCredentials = at
    take(separators)
    if (take(token68) === undefined || field[at - 1] === ',') at = beforeCredentials
  }
}

/**
 * The bearer challenge in a `WWW-Authenticate` field, or nothing. When a field holds several, the first that names
 * `resource_metadata`, `scope` or `error` is taken.
 */
export function bearerChallenge(field: string | null | undefined): BearerChallenge | undefined {
  if (field === null || field === undefined) return undefined
  const all = parseChallenges(field).filter(({ scheme }) => scheme === 'bearer' || scheme === 'dpop')
  const chosen =
    all.find(({ parameters }) => ['resource_metadata', 'scope', 'error'].some((name) => parameters.has(name))) ?? all[0]
  if (chosen === undefined) return undefined
  const { parameters } = chosen
  const scope = parameters.get('scope')?.trim()
  return {
    resourceMetadata: parameters.get('resource_metadata'),
    scope: scope === '' ? undefined : scope,
    error: parameters.get('error'),
    errorDescription: parameters.get('error_description'),
  }
}
