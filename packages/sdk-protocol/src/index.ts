export type { Diagnostic } from './diagnostics.ts'
export { JsonRpcResponseError, JsonRpcTransportError } from './errors.ts'
export type { JsonRpcTransportErrorCode } from './errors.ts'
export type { FrameId, Params } from './frames.ts'
export type { RequestOptions } from './pending-requests.ts'
export type { ByteInput, ByteOutput } from './streams.ts'
export { JsonRpcLineTransport } from './transport.ts'
export type {
  JsonRpcLineTransportOptions,
  JsonRpcTransportPeer,
  NotificationHandler,
  RequestHandler,
} from './transport.ts'
