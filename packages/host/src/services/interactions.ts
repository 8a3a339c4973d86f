import type { Agent } from './agents.ts'

export type ApprovalOutcome = 'allowed-once' | 'rejected' | 'cancelled' | 'unavailable'

export interface ApprovalRequest {
  readonly agent: Agent
  readonly toolName: string
  readonly callId?: string
  readonly reason?: string
  readonly signal?: AbortSignal
}

export interface Question {
  readonly id: string
  readonly question: string
  readonly detail?: string
  readonly header?: string
  readonly options?: readonly { readonly label: string; readonly description?: string }[]
  readonly multiSelect?: boolean
  readonly intent?: { readonly kind: string; readonly approve?: string }
}

export interface QuestionAnswer {
  readonly answers: readonly { readonly id: string; readonly selected: readonly string[]; readonly custom?: string }[]
}

export interface QuestionRequest {
  readonly questions: readonly Question[]
  readonly agent?: Agent
  readonly signal?: AbortSignal
}

/** Up to 0.1.2 the seat of the one who answers questions; absent from 0.1.5. */
export interface UserQuestions {
  /** Throws when the seat is taken. */
  registerProvider?(provider: { ask(request: QuestionRequest): Promise<QuestionAnswer> }): () => void
}

/** Frames of the gateway's event stream that concern decisions; all others are skipped by `type`. */
export type InteractionFrame =
  | {
      readonly type: 'approval/requested'
      readonly sessionId: string
      readonly approvalId: string
      readonly toolName: string
      readonly callId?: string
      readonly reason?: string
    }
  | { readonly type: 'approval/resolved'; readonly sessionId: string; readonly approvalId: string }
  | { readonly type: 'question/requested'; readonly sessionId: string; readonly questions: readonly Question[] }
  | { readonly type: 'question/resolved'; readonly sessionId: string; readonly questionRpcId: string }

export interface FrameEnvelope {
  readonly rpcId: string
  readonly payload: InteractionFrame
}

export type RespondReceipt = { readonly accepted: true } | { readonly accepted: false; readonly reason: string }

export type ApiResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } }

/** The gateway behind the web page, mounted by the web profile up to 0.1.x. */
export interface ApiProxy {
  readonly events?: {
    mux?(
      request: { readonly rpcId: string; readonly payload: object },
      signal: AbortSignal,
    ): AsyncIterable<FrameEnvelope>
  }
  respond?(message: {
    readonly type: 'client-response'
    readonly rpcId: string
    readonly result: { readonly ok: boolean; readonly value?: unknown; readonly error?: unknown }
  }): Promise<RespondReceipt>
  readonly sessions?: {
    selectModel?(request: {
      readonly type: 'client-request'
      readonly rpcId: string
      readonly method: 'session.selectModel'
      readonly payload: {
        readonly sessionId: string
        readonly provider: string
        readonly model: string
        readonly reasoningEffort?: string
      }
    }): Promise<{ readonly result: ApiResult<unknown> }>
  }
}
