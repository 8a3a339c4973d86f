import { z } from 'zod'
import type { StoredTokens } from '../config/index.ts'
import { OAuthError, providerErrorCode } from './errors.ts'
import type { OAuthStage } from './errors.ts'

/** Life of an access token whose answer names none, in seconds. */
const defaultLifeSeconds = 3600
/** How long before its end an access token is replaced, in milliseconds; half its life when that is shorter. */
const earlyMs = 60_000

/** What a token endpoint gave. */
export interface TokenAnswer {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  /** Seconds. */
  readonly expiresIn: number | undefined
  readonly scope: string | undefined
}

/** A token endpoint said no, in the words of RFC 6749 §5.2 (or only with a status). */
export class TokenRefusal extends Error {
  readonly status: number
  readonly error: string | undefined
  readonly description: string | undefined
  constructor(status: number, error: string | undefined, description: string | undefined) {
    super(`token endpoint: HTTP ${status}${error === undefined ? '' : ` ${error}`}`)
    this.status = status
    this.error = error
    this.description = description
  }
}

const seconds = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .transform(Number),
])

const success = z.object({
  access_token: z.string().min(1),
  token_type: z.string().optional().catch(undefined),
  refresh_token: z.string().min(1).optional().catch(undefined),
  expires_in: seconds.optional().catch(undefined),
  scope: z.string().optional().catch(undefined),
})

const refusal = z.object({ error: z.string().min(1), error_description: z.string().optional().catch(undefined) })

function readBody(text: string, contentType: string | null): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Older GitHub Enterprise servers answer with a form although JSON was asked for.
    return contentType?.includes('application/x-www-form-urlencoded')
      ? Object.fromEntries(new URLSearchParams(text))
      : undefined
  }
}

/**
 * Reads the answer of a token endpoint (RFC 6749 §5). Lenient where providers differ without harm: numbers as text, no
 * `token_type`, a form instead of JSON. ID tokens are ignored: an MCP client only needs access. An error is one with any
 * status, 200 included.
 * @throws {TokenRefusal} the provider refused.
 * @throws {OAuthError} `server-error` on 5xx and 429, `not-json` on an unreadable answer.
 */
export async function readTokenAnswer(response: Response, stage: OAuthStage, url: string): Promise<TokenAnswer> {
  const text = await response.text()
  const body = readBody(text, response.headers.get('content-type'))
  const facts = { url, status: response.status }
  if (response.status >= 500 || response.status === 429 || response.status === 408) {
    throw new OAuthError(
      'server-error',
      stage,
      `the token endpoint answered HTTP ${response.status} at stage ${stage}: the provider has an outage or a rate limit; the login is kept`,
      facts,
    )
  }
  const refused = refusal.safeParse(body)
  if (refused.success) {
    throw new TokenRefusal(response.status, providerErrorCode(refused.data.error), refused.data.error_description)
  }
  if (response.status < 200 || response.status > 299) throw new TokenRefusal(response.status, undefined, undefined)
  const read = success.safeParse(body)
  if (!read.success) {
    throw new OAuthError('not-json', stage, `the token endpoint's answer holds no access token (stage ${stage})`, facts)
  }
  const { access_token, token_type = 'Bearer', refresh_token, expires_in, scope } = read.data
  if (token_type.toLowerCase() !== 'bearer') {
    throw new OAuthError(
      'invalid-metadata',
      stage,
      `the token endpoint issued a token of type ${JSON.stringify(token_type.slice(0, 40))}; only Bearer is supported`,
      facts,
    )
  }
  return { accessToken: access_token, refreshToken: refresh_token, expiresIn: expires_in, scope }
}

/**
 * Tokens as stored. `expires_at` is one minute early, or half the life for short-lived tokens; a missing `expires_in`
 * counts as one hour. A refresh that brings no new refresh token keeps the old one (RFC 6749 §6).
 */
export function storedTokens(answer: TokenAnswer, now: number, before?: StoredTokens): StoredTokens {
  const lifeMs = (answer.expiresIn ?? defaultLifeSeconds) * 1000
  return {
    ...before,
    access_token: answer.accessToken,
    refresh_token: answer.refreshToken ?? before?.refresh_token ?? '',
    expires_at: Math.floor(now + lifeMs - Math.min(earlyMs, lifeMs / 2)),
    ...(answer.scope !== undefined && { scope: answer.scope }),
  }
}
