export { DEFAULT_WEIGHTS, SearchIndex } from './search/index.ts'
export type {
  FieldName,
  SearchableTool,
  SearchAnswer,
  SearchHit,
  SearchRequest,
  SearchWeights,
} from './search/index.ts'
