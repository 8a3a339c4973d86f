export { visitAgents } from './agent-visits.ts'
export type { AgentVisitor, VisitedAgent, VisitedContext } from './agent-visits.ts'
export { aroundExecutions } from './around-execution.ts'
export type { ExecutionContext } from './around-execution.ts'
export { builtinMcpRows } from './builtin-mcp-rows.ts'
export type { BuiltinMcpRow } from './builtin-mcp-rows.ts'
export type { CommandAnswer, CommandDefinition, CommandInvocation, CommandRegistry } from './commands.ts'
export { connectionFence } from './connection.ts'
export type { ConnectionFence } from './connection.ts'
export { hostSettled } from './context.ts'
export type { HostLogger, PluginContext } from './context.ts'
export { isLoopbackHostname, judgeHost, judgeOrigin } from './fence.ts'
export type { HostVerdict, OriginVerdict } from './fence.ts'
export { dshHome } from './home.ts'
export { imageStoreFor } from './images.ts'
export type { AttachmentStore, ImageMediaType } from './images.ts'
export { callsFromPrograms, onPromptAssembly, presentsToPrograms, projectsDeferLoading } from './prompt-assembly.ts'
export type { AssemblyContext, PromptAssembly } from './prompt-assembly.ts'
export type {
  ImageAttachment,
  RegistryContext,
  ToolAgent,
  ToolCall,
  ToolContentBlock,
  ToolDefinition,
  ToolExecution,
  ToolOutcome,
  ToolRegistry,
  ToolSchema,
} from './tool-runtime.ts'
export { printable } from './printable.ts'
export { pluginLog } from './log.ts'
export type { PluginLog } from './log.ts'
export type { WebRoute, WebServerService } from './web-server.ts'
export { withoutStacks } from './without-stacks.ts'
export type * from './services/index.ts'
