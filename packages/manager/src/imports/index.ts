export { convertServer } from './convert.ts'
export type { ConvertedServer } from './convert.ts'
export { findServers } from './read-file.ts'
