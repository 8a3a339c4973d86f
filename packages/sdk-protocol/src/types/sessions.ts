import type { CommandExecution } from './commands.ts'
import type { SdkPromptContentBlock } from './content.ts'

/** Parameters of `session/prompt`: blocks to put in the queue. An unknown id creates the session. */
export interface SessionPromptParams {
  sessionId: string
  contentBlocks: SdkPromptContentBlock[]
}

/** The receipt: the id of the queued message, and nothing about what comes of it. */
export interface SessionPromptResult {
  messageId: string
}

/** Parameters of `session/query`: input of a person, which may be a command. */
export interface SessionQueryParams {
  sessionId: string
  contentBlocks: SdkPromptContentBlock[]
}

/** The input was queued, or it was a command, which has ended. */
export type SessionQueryResult =
  | { kind: 'prompt'; messageId: string }
  | { kind: 'command'; execution: CommandExecution }

/** Parameters of `session/resume`: a stored session, to go on with. */
export interface SessionResumeParams {
  sessionId: string
}

/** Parameters of `session/wait`: an existing session, to wait for until it and its managed descendants have come to rest. */
export interface SessionWaitParams {
  sessionId: string
}

/** Parameters of `session/working-directory/get`. */
export interface SessionWorkingDirectoryParams {
  sessionId: string
}

/** Parameters of `session/working-directory/set`; a relative path counts from the session's current directory. */
export interface SessionWorkingDirectorySetParams {
  sessionId: string
  path: string
}

export interface SessionWorkingDirectoryResult {
  /** Absolute. */
  cwd: string
}

/** The result of methods that only succeed or fail. */
export type EmptyResult = Record<string, never>
