/** What stands where a secret stood. */
export const redacted = '[redacted]'

/** Secrets shorter than this are not searched for by value: they would blank out ordinary text. */
const shortestSecret = 4

const fieldNames =
  'access_token|refresh_token|id_token|client_secret|client_assertion|assertion|code_verifier|code|state|token|' +
  'api[-_]?key|apikey|password|passwd|secret|session_token|authorization|cookie|set-cookie|x-api-key'

const patterns: readonly (readonly [RegExp, string])[] = [
  // RFC 6750 and RFC 7617 credentials, also inside a quoted header dump. A scheme followed by an auth-param is a challenge.
  [/\b(bearer|basic|dpop)(\s+|%20|\+)(?![a-z_]+=)[^\s"',;<>)\]}&]+/gi, `$1 ${redacted}`],
  // Credentials in the authority of a URL (RFC 3986 §3.2.1).
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/@"'<>]+@/gi, `$1${redacted}@`],
  // name=value, as in queries, forms, command lines and environment dumps.
  [
    new RegExp(String.raw`(^|[^a-z0-9])((?:[a-z0-9_-]*[-_])?(?:${fieldNames}))(=|%3D)[^\s&"'<>;,]+`, 'gi'),
    `$1$2$3${redacted}`,
  ],
  // "name": "value" and name: 'value'.
  [
    new RegExp(
      String.raw`(["']?(?:[a-z0-9_-]*[-_])?(?:access_token|refresh_token|id_token|client_secret|client_assertion|code_verifier|api[-_]?key|password|secret|x-api-key)["']?\s*:\s*)(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"',}\]]+)`,
      'gi',
    ),
    `$1"${redacted}"`,
  ],
  // JSON Web Tokens (RFC 7519) and key prefixes in wide use.
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g, redacted],
  [/\b(?:sk|pk|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs])[-_][A-Za-z0-9_-]{16,}/g, redacted],
]

function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8')
  const forms: string[] = []
  // Inside a longer text the secret may begin at any of three positions; the characters that depend on neighbours go.
  for (let offset = 0; offset < 3; offset++) {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes])
    const whole = padded.toString('base64').replace(/=+$/, '')
    const from = offset === 0 ? 0 : offset + 1
    const to = padded.length % 3 === 0 ? whole.length : whole.length - 1
    const form = whole.slice(from, to)
    forms.push(form, form.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return forms
}

function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed())
  const hex = Buffer.from(secret, 'utf8').toString('hex')
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encoded,
    encoded.replaceAll('%20', '+'),
    encodeURI(secret.toWellFormed()),
    hex,
    hex.toUpperCase(),
    ...base64Forms(secret),
  ]
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // Not well-formed: decode what can be decoded, byte by byte.
    return text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
  }
}

function hidesSecret(word: string, secrets: readonly string[]): boolean {
  if (!word.includes('%')) return false
  let decoded = word
  for (let round = 0; round < 3; round++) {
    const next = percentDecoded(decoded)
    if (secrets.some((secret) => next.includes(secret) || next.includes(secret.replaceAll('+', ' ')))) return true
    if (next === decoded) return false
    decoded = next
  }
  return false
}

/**
 * Takes credentials out of a text that people will see: what looks like one (bearer values, `code`, `state`, tokens,
 * client secrets, passwords in URLs), and each of `secrets` in clear, JSON-escaped, percent-encoded (up to three times
 * over), hexadecimal or base64 form. Secrets of fewer than four characters are not searched for.
 */
export function redact(text: string, secrets: Iterable<string> = []): string {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= shortestSecret)
  let clean = text
  if (known.length > 0) {
    const forms = [...new Set(known.flatMap(formsOf))]
    forms.sort((a, b) => b.length - a.length)
    for (const form of forms) clean = clean.replaceAll(form, redacted)
    clean = clean.replace(/\S+/g, (word) => (hidesSecret(word, known) ? redacted : word))
  }
  for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement)
  return clean
}
