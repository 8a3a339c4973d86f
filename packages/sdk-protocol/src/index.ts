export type { Diagnostic } from './diagnostics.ts'
export { JsonRpcResponseError, JsonRpcTransportError, SdkProtocolError } from './errors.ts'
export type { JsonRpcTransportErrorCode, SdkProtocolErrorCode } from './errors.ts'
export type { FrameId, Params } from './frames.ts'
export { clientPeer, runtimePeer } from './peers.ts'
export type { HarnessSdkClientPeer, HarnessSdkRuntimePeer, NotificationHandlers, RequestHandlers } from './peers.ts'
export type { RequestOptions } from './pending-requests.ts'
export * from './semantics/index.ts'
export type { ByteInput, ByteOutput } from './streams.ts'
export { JsonRpcLineTransport } from './transport.ts'
export type {
  JsonRpcLineTransportOptions,
  JsonRpcTransportPeer,
  NotificationHandler,
  RequestHandler,
} from './transport.ts'
export type * from './types/index.ts'
