export { brokerBytes } from './broker-bytes.ts'
export { createBroker } from './broker.ts'
export type { Broker, BrokerParts } from './broker.ts'
export type { ServerState } from './empty-answer.ts'
export { DEFAULT_WEIGHTS, SearchIndex } from './search/index.ts'
export type {
  FieldName,
  SearchableTool,
  SearchAnswer,
  SearchHit,
  SearchRequest,
  SearchWeights,
} from './search/index.ts'
