/** State of a login for the settings page: times (epoch milliseconds) and codes only, never a token. */
export interface OAuthHealth {
  readonly expiresAt: number | null
  readonly needsReauth: boolean
  readonly lastRefreshAt: number | null
  readonly lastRefreshError: string | null
  readonly lastToolOkAt: number | null
}
