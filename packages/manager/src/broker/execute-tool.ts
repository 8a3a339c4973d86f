import type { ToolContentBlock, ToolDefinition, ToolExecution, ToolOutcome, ToolRegistry } from '@dsh-mcp/host'
import { EXECUTE_TOOL, objectOf, type ToolAppearance } from './broker-tool.ts'
import { visibleTool } from './describe-tool.ts'
import type { ToolFinder } from './tool-finder.ts'

export const EXECUTE_PARAMETERS = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, description: 'Name of the tool as mcp_search_tools gives it.' },
    arguments: {
      type: 'object',
      additionalProperties: true,
      description: 'Arguments of the tool, by its input schema. Default: none.',
    },
  },
  required: ['name'],
} as const

/** What the model sees of the tool. */
export const EXECUTE_APPEARANCE: ToolAppearance = {
  name: EXECUTE_TOOL,
  description:
    'Call one MCP tool and get its result. Its arguments: see mcp_describe_tool. MCP tools cannot be called directly.',
  parameters: EXECUTE_PARAMETERS,
}

/** `mcp_execute_tool`, and what the rest of the broker must know of its calls. */
export interface ExecuteTool {
  readonly definition: ToolDefinition
  /** Whether `token` is one of this tool's executions that run now: only they may call hidden tools. */
  owns(token: symbol): boolean
  /** Gives a failed execution the outcome of the tool it called, so that the error keeps its kind. */
  around(execution: ToolExecution, next: () => Promise<ToolOutcome>): Promise<ToolOutcome>
}

type Content = readonly ToolContentBlock[]

/** Blocks as a program gets them: an image is told, not shown. */
function asText(content: Content): { type: 'text'; text: string }[] {
  return content.map((block) =>
    block.type === 'text'
      ? { type: 'text', text: block.text }
      : { type: 'text', text: `[image ${block.attachment.mediaType}]` },
  )
}

function isSameText(left: Content, right: Content): boolean {
  const texts = (content: Content) => JSON.stringify(asText(content))
  return texts(left) === texts(right)
}

type Failure = ToolOutcome & { readonly isError: true }

/**
 * Runs a visible MCP tool through the host's own pipeline: policies, guards, permissions and limits are those of the called
 * tool, and so are its result, its images, its errors and its timeout.
 */
export function createExecuteTool(registry: Pick<ToolRegistry, 'execute' | 'get'>, finder: ToolFinder): ExecuteTool {
  const running = new Set<symbol>()
  const failed = new WeakMap<ToolExecution, Failure>()
  const finished = new WeakMap<ToolExecution, Content>()

  const showImages = (execution: ToolExecution, outcome: ToolOutcome): ToolContentBlock[] | undefined => {
    const content = finished.get(execution)
    finished.delete(execution)
    // a policy that changed the content meant what it did
    if (content === undefined || outcome.isError || !isSameText(outcome.content, asText(content))) return undefined
    return [...content]
  }

  const definition: ToolDefinition = {
    ...EXECUTE_APPEARANCE,
    output: {
      schema: objectOf({ content: { type: 'array', items: {} } }),
      render: (_args, value) => [...(value as { readonly content: Content }).content],
    },
    isConcurrencySafe(args) {
      const { name, arguments: input } = args as { readonly name?: unknown; readonly arguments?: unknown }
      return typeof name === 'string' && registry.get(name)?.isConcurrencySafe?.(input) === true
    },
    projectContent: showImages,
    finalizeContent: showImages,
    async execute(args, execution) {
      const { executeInput, readInput } = await import('./arguments.ts')
      const { name, arguments: input = {} } = readInput(EXECUTE_TOOL, executeInput, args)
      const { agent, token, callId, rootCallId, signal } = execution
      const { publicName } = visibleTool(finder, name, agent)
      running.add(token)
      try {
        const outcome = await registry.execute({
          callId: `${callId}:mcp`,
          rootCallId,
          name: publicName,
          arguments: input,
          parent: token,
          signal,
          ...(agent === undefined ? {} : { agent }),
        })
        for (const context of outcome.additionalContexts ?? []) execution.deferContext?.(context)
        if (outcome.isError) {
          failed.set(execution, outcome)
          throw new Error(outcome.error.message)
        }
        if (outcome.content.some((block) => block.type === 'image')) finished.set(execution, outcome.content)
        return { content: asText(outcome.content) }
      } finally {
        running.delete(token)
      }
    },
  }

  return {
    definition,
    owns: (token) => running.has(token),
    async around(execution, next) {
      const outcome = await next()
      return outcome.isError ? (failed.get(execution) ?? outcome) : outcome
    },
  }
}
