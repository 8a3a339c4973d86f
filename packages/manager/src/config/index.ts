export { acquireLock } from './file-lock.ts'
export { sweepDrafts } from './drafts.ts'
export { openStateFile } from './open-state-file.ts'
export { parseJson } from './parse-json.ts'
export { expandReferences } from './references.ts'
export { oauthMembers } from './server-definition.ts'
export type {
  HttpServer,
  OAuthGrant,
  OAuthRecord,
  ServerDefinition,
  ServerSource,
  StdioServer,
  StoredTokens,
} from './server-definition.ts'
export { kindOf, loadServerParser, readMap, serverNamePattern } from './server-record.ts'
export { findServer, newServerId } from './state-document.ts'
export { StateFileError } from './state-file.ts'
export type { StateDraft, StateFile, StateServerRecord, StateSnapshot } from './state-file.ts'
export { replaceFile } from './atomic-write.ts'
export { readTimeout } from './timeout.ts'
