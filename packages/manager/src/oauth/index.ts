/**
 * OAuth for MCP servers. Loads the protocol and validation libraries: import it dynamically, after the host has started.
 */
export { createOAuth } from './create-oauth.ts'
export type { LoginOutcome, OAuth, OAuthSettings } from './create-oauth.ts'
export { OAuthError } from './errors.ts'
export { callbackOrigin, callbackPath, parsePublicOrigins } from './origins.ts'
export { resultPage, resultPageHeaders } from './result-page.ts'
