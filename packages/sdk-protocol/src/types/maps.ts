import type { ApprovalRequestParams, ApprovalRequestResult } from './approvals.ts'
import type { InitializeParams, InitializeResult } from './initialize.ts'
import type {
  SessionEventNotification,
  SessionQueryCompletedNotification,
  SessionStatusNotification,
  SubagentFinishedNotification,
  SubagentStartedNotification,
} from './notifications.ts'
import type { SdkUserQuestionCancelled, SdkUserQuestionRequest, SdkUserQuestionResult } from './questions.ts'
import type {
  EmptyResult,
  SessionPromptParams,
  SessionPromptResult,
  SessionQueryParams,
  SessionQueryResult,
  SessionResumeParams,
  SessionWaitParams,
  SessionWorkingDirectoryParams,
  SessionWorkingDirectoryResult,
  SessionWorkingDirectorySetParams,
} from './sessions.ts'

/** Requests of the client to the runtime, by method. */
export interface HarnessSdkRequestMap {
  initialize: { params: InitializeParams; result: InitializeResult }
  'session/prompt': { params: SessionPromptParams; result: SessionPromptResult }
  'session/query': { params: SessionQueryParams; result: SessionQueryResult }
  'session/resume': { params: SessionResumeParams; result: EmptyResult }
  'session/wait': { params: SessionWaitParams; result: EmptyResult }
  'session/working-directory/get': { params: SessionWorkingDirectoryParams; result: SessionWorkingDirectoryResult }
  'session/working-directory/set': { params: SessionWorkingDirectorySetParams; result: SessionWorkingDirectoryResult }
  shutdown: { params: undefined; result: EmptyResult }
}

/** Requests of the runtime to a client that set `initialize.approvalRequests`, by method. */
export interface HarnessSdkClientRequestMap {
  'approval/request': { params: ApprovalRequestParams; result: ApprovalRequestResult }
}

/** Requests of the runtime to a host that set `initialize.capabilities.userQuestions`, by method. */
export interface HarnessSdkHostRequestMap {
  'user-question/ask': { params: SdkUserQuestionRequest; result: SdkUserQuestionResult }
}

/** Notifications of the runtime, by method. */
export interface HarnessSdkNotificationMap {
  'session.event': SessionEventNotification
  'session.status': SessionStatusNotification
  'session.query.completed': SessionQueryCompletedNotification
  'subagent.started': SubagentStartedNotification
  'subagent.finished': SubagentFinishedNotification
  'user-question.cancelled': SdkUserQuestionCancelled
}
