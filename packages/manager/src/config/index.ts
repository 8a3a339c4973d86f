export type {
  AuthMode,
  HttpServer,
  OAuthRecord,
  ServerDefinition,
  ServerSource,
  StdioServer,
  StoredTokens,
} from './server-definition.ts'
export { StateFileError } from './state-file.ts'
export type {
  StateDraft,
  StateFile,
  StateFileErrorCode,
  StateServerRecord,
  StateSnapshot,
  UpdateOptions,
} from './state-file.ts'
