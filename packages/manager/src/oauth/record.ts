import { z } from 'zod'
import type { OAuthRecord, StoredTokens } from '../config/index.ts'
import { coversResource } from './resource-metadata.ts'

/** The OAuth record of a server as the flow reads it. Fields of older files keep their names; the rest are ours. */
export interface FlowRecord {
  /** Dynamically registered client. */
  readonly clientId?: string
  readonly redirect?: string
  /** Secret the provider issued at registration; not one a person configured. */
  readonly clientSecret?: string
  /** Epoch seconds; 0 means never (RFC 7591 §3.2.1). */
  readonly clientSecretExpiresAt?: number
  readonly clientAuthMethod?: string
  readonly authorizationServer?: string
  readonly guessed?: boolean
  readonly resourceMetadataUrl?: string
  readonly resource?: string
  /** Scope set by hand. */
  readonly scope?: string
  /** Scope of the last login that succeeded. */
  readonly requestedScope?: string
  /** Scope a 403 asked for since. */
  readonly neededScope?: string
  /** Client id the tokens were issued to. */
  readonly tokensClientId?: string
  /** Address of the MCP server the tokens were got for, without query; absent in records of other programs. */
  readonly tokensUrl?: string
  /** Why the tokens are of no use any more. */
  readonly ended?: { readonly code: string; readonly at: number }
  /** Epoch milliseconds. */
  readonly lastRefreshAt?: number
  readonly tokens?: StoredTokens & { readonly scope?: string }
}

const text = z.string().min(1).optional().catch(undefined)
const number = z.number().optional().catch(undefined)

const schema = z.object({
  clientId: text,
  redirect: text,
  clientSecret: text,
  clientSecretExpiresAt: number,
  clientAuthMethod: text,
  authorizationServer: text,
  issuer: text,
  guessed: z.boolean().optional().catch(undefined),
  resourceMetadataUrl: text,
  resource: text,
  scope: text,
  requestedScope: text,
  neededScope: text,
  tokensClientId: text,
  tokensUrl: text,
  ended: z.object({ code: z.string(), at: z.number() }).optional().catch(undefined),
  lastRefreshAt: number,
  tokens: z
    .looseObject({ access_token: text, refresh_token: text, expires_at: number, scope: text })
    .optional()
    .catch(undefined),
})

/** Reads a stored record; fields of the wrong kind count as absent. */
export function readRecord(record: OAuthRecord | undefined): FlowRecord {
  const { issuer, ...fields } = schema.parse(record ?? {})
  return { ...fields, authorizationServer: fields.authorizationServer ?? issuer }
}

/** Lays changes over a stored record. A field changed to `undefined` is taken out; all others stay as they are. */
export function changeRecord(record: OAuthRecord, changes: Partial<FlowRecord>): OAuthRecord {
  const merged = { ...record, ...changes }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined))
}

/** The address tokens are bound to. */
export function tokenAddress(url: URL): string {
  return `${url.origin}${url.pathname}`
}

/**
 * Whether the tokens of a record were got for the server at `url`; those of another must never be sent there. A record that
 * names no address is judged by its published resource, and where it has none by where it stands: only the user writes the
 * state file, but anybody may write the file of a workspace.
 */
export function areTokensFor(record: FlowRecord, url: URL, isOfWorkspace: boolean): boolean {
  if (record.tokensUrl !== undefined) return record.tokensUrl === tokenAddress(url)
  if (record.resource !== undefined) return coversResource(record.resource, url)
  const metadata = record.resourceMetadataUrl === undefined ? null : URL.parse(record.resourceMetadataUrl)
  return !isOfWorkspace || metadata?.origin === url.origin
}

/** Whether an access token should be replaced before it is used. A record without a time never expires by time. */
export function isExpired(tokens: StoredTokens, now: number): boolean {
  return tokens.expires_at !== undefined && tokens.expires_at <= now
}
