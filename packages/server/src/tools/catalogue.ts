import { answerApproval } from './decide/answer-approval.ts'
import { answerQuestion } from './decide/answer-question.ts'
import { listInteractions } from './decide/list-interactions.ts'
import type { Tool } from './definition.ts'
import { getStatus } from './discover/get-status.ts'
import { listModels } from './discover/list-models.ts'
import { listPresets } from './discover/list-presets.ts'
import { listSessions } from './discover/list-sessions.ts'
import { listTools } from './discover/list-tools.ts'
import { listWorkspaces } from './discover/list-workspaces.ts'
import { forkSession } from './drive/fork-session.ts'
import { interruptSession } from './drive/interrupt-session.ts'
import { resumeSession } from './drive/resume-session.ts'
import { runCommand } from './drive/run-command.ts'
import { sendMessage } from './drive/send-message.ts'
import { startSession } from './drive/start-session.ts'
import { updateSession } from './drive/update-session.ts'
import { getChanges } from './observe/get-changes.ts'
import { getSession } from './observe/get-session.ts'
import { getUsage } from './observe/get-usage.ts'
import { readSession } from './observe/read-session.ts'
import { waitSession } from './observe/wait-session.ts'

/** Every tool, in the order of `tools/list`, whatever the harness has mounted. */
export const tools: readonly Tool[] = [
  getStatus,
  listWorkspaces,
  listModels,
  listPresets,
  listTools,
  listSessions,
  getSession,
  readSession,
  waitSession,
  startSession,
  resumeSession,
  forkSession,
  sendMessage,
  interruptSession,
  updateSession,
  runCommand,
  listInteractions,
  answerApproval,
  answerQuestion,
  getChanges,
  getUsage,
]
