/**
 * OAuth for MCP servers. Loads the protocol and validation libraries: import it dynamically, after the host has started.
 */
export { createOAuth } from './create-oauth.ts'
export type { LoginOutcome, OAuth, OAuthSettings } from './create-oauth.ts'
export { OAuthError, oauthErrorCodes } from './errors.ts'
export type { OAuthErrorCode, OAuthStage } from './errors.ts'
export type { Endpoint } from './flow.ts'
export type { OAuthHealth } from './health.ts'
export type { LogOutOutcome } from './log-out.ts'
export { callbackOrigin, callbackPath, parsePublicOrigins, redirectUri } from './origins.ts'
export type { OriginHeaders } from './origins.ts'
export { systemClock } from './clock.ts'
export type { Clock } from './clock.ts'
export { resultPage, resultPageHeaders } from './result-page.ts'
export type { LoginResult } from './result-page.ts'
