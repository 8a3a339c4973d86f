import type { JsonObject } from './json.ts'

/** A question to the client: the parameters of a request that earlier revisions sent from server to client. */
export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  readonly params?: JsonObject
}

/**
 * MCP 2026-07-28, Multi round-trip requests: the answer of a tool or resource that needs more from the client first. At
 * least one of the two members is set. `requestState` comes back byte for byte and must be treated as hostile: sign it.
 */
export interface InputRequired {
  readonly resultType: 'input_required'
  readonly inputRequests?: Readonly<Record<string, InputRequest>>
  readonly requestState?: string
}

/** What the client sent with the retry of such a request. */
export interface InputRetry {
  readonly inputResponses?: JsonObject
  readonly requestState?: string
}
