export { createAttemptLog, createAttemptLogs } from './attempt-log.ts'
export type { AttemptEntry, AttemptLog, AttemptLogs, AttemptPhase } from './attempt-log.ts'
export { redact } from './redact.ts'
