import {
  callsFromPrograms,
  onPromptAssembly,
  presentsToPrograms,
  projectsDeferLoading,
  type AssemblyContext,
  type PromptAssembly,
  type ToolExecution,
  type ToolRegistry,
  type ToolSchema,
} from '@dsh-mcp/host'
import type { OfferedTools } from '../tools/index.ts'
import { EXECUTE_TOOL } from './broker-tool.ts'
import type { BrokeredTools } from './tool-finder.ts'

export interface HidingParts {
  readonly context: AssemblyContext
  readonly registry: Pick<ToolRegistry, 'register' | 'get' | 'schemas' | 'guard'>
  readonly tools: BrokeredTools & Pick<OfferedTools, 'deferLoading'>
  /** Whether a running execution, by its token, may call hidden tools. */
  readonly mayCallHidden: (token: symbol) => boolean
}

function inFull({ name, description, parameters }: ToolSchema): ToolSchema {
  return { name, description, parameters }
}

/**
 * Keeps MCP tools out of model requests while they stay registered, and refuses direct calls of them.
 *
 * Three means, each where the host has it: what an assembly carries of tools is filtered; where the registry passes
 * `deferLoading` on, every MCP tool is registered anew with it (also where that cannot be told); and a guard denies every
 * call but the nested ones of `mcp_execute_tool`. Agents that call tools from programs keep all their MCP tools, and so do agents
 * that somebody kept from `mcp_execute_tool`.
 *
 * Returns what shows them again.
 */
export function hideDirectTools({ context, registry, tools, mayCallHidden }: HidingParts): () => void {
  /** Agents whose last assembly spoke of programs, with or without `run_code` in the registry. */
  const programmers = new WeakSet<object>()
  const keepsAll = (agent: object | undefined): boolean =>
    callsFromPrograms(registry, agent) ||
    (agent !== undefined && programmers.has(agent)) ||
    registry.get(EXECUTE_TOOL, agent) === undefined

  const filter = (assembly: PromptAssembly, agent: object | undefined): PromptAssembly => {
    if (agent !== undefined) {
      if (presentsToPrograms(assembly)) programmers.add(agent)
      else programmers.delete(agent)
    }
    if (assembly.tools === undefined) return assembly
    const described = new Map(tools.catalog.offered().map((entry) => [entry.publicName, entry.definition.description]))
    const isOurs = ({ name, description }: ToolSchema): boolean => described.get(name) === description
    return {
      ...assembly,
      tools: keepsAll(agent)
        ? assembly.tools.map((schema) => (isOurs(schema) ? inFull(schema) : schema))
        : assembly.tools.filter((schema) => !isOurs(schema)),
    }
  }

  const check = ({ name, agent, parent }: ToolExecution): string | undefined => {
    if (parent !== undefined && mayCallHidden(parent)) return undefined
    if (tools.find(name, agent) === undefined || keepsAll(agent)) return undefined
    return `"${name}" is called through ${EXECUTE_TOOL}: {"name": "${name}", "arguments": {…}}`
  }

  const undo = [onPromptAssembly(context, filter), registry.guard(check)]
  if (projectsDeferLoading(registry) !== false) {
    tools.deferLoading(true)
    undo.push(() => tools.deferLoading(false))
  }
  return () => {
    for (const step of undo) step()
  }
}
