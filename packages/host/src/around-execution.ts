import type { ToolExecution, ToolOutcome } from './tool-runtime.ts'

type Around = (execution: ToolExecution, next: () => Promise<ToolOutcome>) => Promise<ToolOutcome>

/** The part of a plugin's context that stands around tool executions. */
export interface ExecutionContext {
  on(event: 'tools/execute', listener: Around): unknown
}

/** Runs `around` in the place of every tool execution; `next` is the execution itself. Returns what ends it. */
export function aroundExecutions(context: ExecutionContext, around: Around): () => void {
  let active = true
  const off = context.on('tools/execute', (execution, next) => (active ? around(execution, next) : next()))
  return () => {
    active = false
    if (typeof off === 'function') off()
  }
}
