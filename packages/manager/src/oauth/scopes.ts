/** Splits a scope string (RFC 6749 §3.3) into its distinct tokens, in order. */
export function scopeTokens(scope: string | undefined): string[] {
  return [...new Set((scope ?? '').split(/\s+/).filter((token) => token !== ''))]
}

/** All tokens of all scopes, each once, in the order of first mention; nothing when there are none. */
export function unionOfScopes(...scopes: readonly (string | undefined)[]): string | undefined {
  const all = scopeTokens(scopes.filter((scope) => scope !== undefined).join(' '))
  return all.length === 0 ? undefined : all.join(' ')
}

/** The tokens of `wanted` that `held` lacks; nothing when there are none. */
export function missingScopes(wanted: string | undefined, held: string | undefined): string | undefined {
  const have = new Set(scopeTokens(held))
  const missing = scopeTokens(wanted).filter((token) => !have.has(token))
  return missing.length === 0 ? undefined : missing.join(' ')
}

/** Where the scopes of an authorization request may come from. */
export interface ScopeSources {
  /** `scope` of the server definition. */
  readonly configured?: string
  /** `oauth.scope`, set by hand in the state file. */
  readonly recorded?: string
  /** `scope` of the 401 challenge. */
  readonly challenged?: string
  /** `scopes_supported` of the protected-resource metadata (RFC 9728 §2). */
  readonly resourceScopes?: readonly string[]
  /** `scopes_supported` of the authorization server metadata (RFC 8414 §2). */
  readonly serverScopes?: readonly string[]
  /** What earlier requests asked for; kept when more scopes are needed now. */
  readonly askedBefore?: string
  /** What a 403 said is missing. */
  readonly needed?: string
  /** Whether the client can use refresh tokens, so that `offline_access` makes sense. */
  readonly refreshes?: boolean
}

/** A chosen scope and where its base came from. */
export interface ScopeChoice {
  readonly scope: string | undefined
  readonly source: 'configured' | 'recorded' | 'challenge' | 'resource metadata' | 'server metadata' | 'none'
}

function base(sources: ScopeSources): ScopeChoice {
  const configured = unionOfScopes(sources.configured)
  if (configured !== undefined) return { scope: configured, source: 'configured' }
  const recorded = unionOfScopes(sources.recorded)
  if (recorded !== undefined) return { scope: recorded, source: 'recorded' }
  const challenged = unionOfScopes(sources.challenged)
  if (challenged !== undefined) return { scope: challenged, source: 'challenge' }
  const ofResource = unionOfScopes(sources.resourceScopes?.join(' '))
  if (ofResource !== undefined) return { scope: ofResource, source: 'resource metadata' }
  const ofServer = unionOfScopes(sources.serverScopes?.join(' '))
  if (ofServer !== undefined) return { scope: ofServer, source: 'server metadata' }
  return { scope: undefined, source: 'none' }
}

/**
 * The scope of an authorization request. Base, first that says anything: configured → recorded by hand → 401 challenge
 * → resource metadata → server metadata → none. A step-up (`needed`) never replaces: the request holds the base, what
 * was asked before and what is needed now (MCP authorization, step-up). `offline_access` is added only when the
 * authorization server offers it and the user has not chosen the scopes.
 */
export function chooseScope(sources: ScopeSources): ScopeChoice {
  const chosen = base(sources)
  const stepUp = sources.needed === undefined ? undefined : unionOfScopes(sources.askedBefore, sources.needed)
  const byHand = chosen.source === 'configured' || chosen.source === 'recorded'
  const offline =
    sources.refreshes === true &&
    !byHand &&
    chosen.source !== 'none' &&
    sources.serverScopes?.includes('offline_access')
      ? 'offline_access'
      : undefined
  return { scope: unionOfScopes(chosen.scope, stepUp, offline), source: chosen.source }
}
