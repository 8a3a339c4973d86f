import type { Other } from './open.ts'

export interface SdkUserQuestionOption {
  label: string
  description?: string
}

/** How a question is meant to be shown, by `kind`. One that is not known is shown like any other question. */
export interface SdkUserQuestionIntentMap {
  'plan-review': {
    kind: 'plan-review'
    /** Label of the option that approves the plan. */
    approve: string
  }
}

export type SdkUserQuestionIntent = SdkUserQuestionIntentMap[keyof SdkUserQuestionIntentMap] | Other<'kind'>

export interface SdkUserQuestion {
  id: string
  question: string
  detail?: string
  header?: string
  options?: SdkUserQuestionOption[]
  multiSelect?: boolean
  intent?: SdkUserQuestionIntent
}

/** Parameters of `user-question/ask`. */
export interface SdkUserQuestionRequest {
  requestId: string
  sessionId: string
  questions: SdkUserQuestion[]
}

export interface SdkUserQuestionAnswer {
  /** Id of the question. */
  id: string
  /** Labels of the chosen options; empty when a single choice was answered in own words. */
  selected: string[]
  /** The answer in own words. */
  custom?: string
}

/** One answer for each question, or `cancelled` alone: the person closed the questions. */
export type SdkUserQuestionResult = { answers: SdkUserQuestionAnswer[] } | { cancelled: true }

/** Parameters of `user-question.cancelled`: the runtime waits no longer; an answer would be ignored. */
export interface SdkUserQuestionCancelled {
  requestId: string
  sessionId?: string
}
