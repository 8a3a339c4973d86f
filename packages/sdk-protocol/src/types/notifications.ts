import type { ContentBlock } from './content.ts'
import type { SessionEvent } from './events.ts'
import type { OpenWord } from './open.ts'
import type { SubagentStopReason } from './turns.ts'

/** Parameters of `session.event`: an event of any session of the runtime, of subagents too. */
export interface SessionEventNotification {
  sessionId: string
  event: SessionEvent
}

/** Parameters of `session.status`: an agent began to work or came to rest. */
export interface SessionStatusNotification {
  sessionId: string
  status: 'idle' | 'running'
}

/** Parameters of `session.query.completed`: what a command of `session/query` started has ended. */
export interface SessionQueryCompletedNotification {
  sessionId: string
  /** The `commandId` of the query's execution. */
  commandId: string
  finalResponse: string
  /** How the last turn ended; absent when the command needed no turn. */
  finishReason?: OpenWord<'completed' | 'aborted' | 'blocked' | 'error' | 'max-tokens' | 'interrupted'> | null
}

/** Parameters of `subagent.started`; comes before the first event of the child. */
export interface SubagentStartedNotification {
  parentSessionId: string
  childSessionId: string
}

export type SdkRunStatus = 'ok' | 'error'

/** Parameters of `subagent.finished`; only for subagents that run inside of the runtime's process. */
export interface SubagentFinishedNotification {
  provider: string
  /** The same as `childSessionId`. */
  agentId: string
  parentSessionId: string
  childSessionId: string
  status: SdkRunStatus
  stopReason: SubagentStopReason
  /** The child's last message that is not empty, else the text that it wrote, else absent. */
  lastAssistantMessage?: ContentBlock[]
}
