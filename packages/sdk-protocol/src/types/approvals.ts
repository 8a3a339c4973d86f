/** Parameters of `approval/request`: may this tool run, this once? */
export interface ApprovalRequestParams {
  sessionId: string
  toolName: string
  callId?: string
  /** Why the runtime asks, for a person. */
  reason?: string
}

/** Only `allowed-once` lets the operation run. */
export type ApprovalOutcome = 'allowed-once' | 'rejected' | 'cancelled'

export interface ApprovalRequestResult {
  outcome: ApprovalOutcome
}
