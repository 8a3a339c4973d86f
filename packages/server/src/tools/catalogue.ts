import type { Tool } from './definition.ts'
import { getStatus } from './discover/get-status.ts'
import { listSessions } from './discover/list-sessions.ts'
import { startSession } from './drive/start-session.ts'
import { readSession } from './observe/read-session.ts'
import { waitSession } from './observe/wait-session.ts'

/** Every tool, in the order of `tools/list`. */
export const tools: readonly Tool[] = [getStatus, listSessions, readSession, waitSession, startSession]
