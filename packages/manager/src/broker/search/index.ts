export type { SearchableTool } from './documents.ts'
export { SearchIndex } from './search-index.ts'
export { DEFAULT_WEIGHTS } from './weights.ts'
export type { FieldName, SearchWeights } from './weights.ts'
