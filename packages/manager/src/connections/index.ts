export { createConnections } from './create-connections.ts'
export { noAuthorization, staticToken } from './authorization.ts'
export type { Authorization, AuthorizationDecision, Challenge, StaticTokenSource } from './authorization.ts'
export { ConnectionError } from './connection.ts'
export type {
  CallToolOptions,
  CallToolResult,
  ConnectionErrorCode,
  ConnectionEvent,
  ConnectionStatus,
  Era,
  QuarantinedTool,
  RemoteTool,
  ServerConnection,
  TransportKind,
} from './connection.ts'
export { proxyFor } from './http/proxy.ts'
export type { ConfigureClient } from './open-client.ts'
export { resolveHttp } from './resolve-server.ts'
export type { ResolvedHttp } from './resolve-server.ts'
export { isSameJson } from './same-json.ts'
export type { ConnectionsEvent, ConnectionSettings, ServerConnections } from './server-connections.ts'
