import type { Question } from '@dsh-mcp/host'

interface PendingCommon {
  readonly interactionId: string
  readonly sessionId: string
  /** Milliseconds since the Unix epoch; when this process learned of it. */
  readonly requestedAt: number
}

export interface PendingApproval extends PendingCommon {
  readonly kind: 'approval'
  readonly toolName: string
  readonly callId: string | undefined
  readonly reason: string | undefined
}

export interface PendingQuestion extends PendingCommon {
  readonly kind: 'question'
  readonly questions: readonly Question[]
}

export type Pending = PendingApproval | PendingQuestion

export interface Answer {
  readonly id: string
  readonly selected: readonly string[]
  readonly custom?: string
}

/** What became of an answer. */
export type Receipt = 'accepted' | 'not-pending' | 'bad-answer'

/** Approvals and questions that wait for somebody, and the way to answer them. */
export interface Interactions {
  /** Which channel of the host carries them. */
  readonly channel: 'api-proxy' | 'waterfall' | 'none'
  list(): readonly Pending[]
  decide(pending: PendingApproval, allow: boolean): Promise<Receipt>
  answer(pending: PendingQuestion, answers: readonly Answer[]): Promise<Receipt>
  dismiss(pending: PendingQuestion): Promise<Receipt>
}
