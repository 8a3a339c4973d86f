/** Who answers: goes into `initialize` and into the `_meta` of every 2026-07-28 result. */
export interface ServerInfo {
  readonly name: string
  readonly title: string
  readonly version: string
}

/** What an endpoint says of itself. */
export interface Identity {
  readonly serverInfo: ServerInfo
  /** For the model that uses the endpoint. */
  readonly instructions: string
}
