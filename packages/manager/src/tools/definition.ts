import {
  imageStoreFor,
  type ToolContentBlock,
  type ToolDefinition,
  type ToolExecution,
  type ToolOutcome,
} from '@dsh-mcp/host'
import type { RemoteTool, ServerConnection } from '../connections/index.ts'
import { isConcurrencySafe } from './concurrency.ts'
import {
  errorText,
  hasImage,
  imageBlocks,
  piecesOf,
  textBlocks,
  valueOf,
  valueSchema,
  type ToolValue,
} from './results/index.ts'
import { clip, isRecord, projectOutputSchema, type ObjectSchema } from './schema/index.ts'

/** Longest description of a tool, in UTF-16 units. */
const maxDescription = 2000

/** A tool as registered with the host, with what other rooms and other plugins may want to know of it. */
export interface McpToolDefinition extends ToolDefinition {
  readonly mcpServerName: string
  readonly mcpRawName: string
}

/** What a definition calls: the live connection of its server. */
export type ToolCaller = Pick<ServerConnection, 'serverName' | 'callTool'>

export interface DefinitionParts {
  readonly tool: RemoteTool
  readonly publicName: string
  readonly parameters: ObjectSchema
  readonly caller: ToolCaller
  /** Optional services of the host, asked at each call. */
  readonly service: (name: string) => unknown
}

/** The server's own text, then where the tool comes from. */
export function toolDescription(tool: RemoteTool, server: string): string {
  const suffix = ` [${server} MCP]`
  const said = (tool.description ?? tool.title ?? tool.name).trim()
  return clip(said === '' ? tool.name : said, maxDescription - suffix.length) + suffix
}

interface Shown {
  readonly rendered: readonly ToolContentBlock[]
  readonly shown: ToolContentBlock[]
}

const isSameText = (left: readonly ToolContentBlock[], right: readonly ToolContentBlock[]): boolean =>
  left.length === right.length &&
  left.every((block, index) => {
    const other = right[index]
    return block.type === 'text' && other?.type === 'text' && block.text === other.text
  })

/**
 * One MCP tool as the host's registry takes it. `execute` returns the plain JSON value, a result marked `isError` is thrown,
 * and images replace their placeholders in the content once the host has stored them.
 */
export function defineTool(parts: DefinitionParts): McpToolDefinition {
  const { tool, caller, service } = parts
  const structured = projectOutputSchema(tool.outputSchema)
  const canOverlap = isConcurrencySafe(tool.name, tool.annotations)
  const withImages = new WeakMap<ToolExecution, Shown>()

  const swapImages = (execution: ToolExecution, outcome: ToolOutcome): ToolContentBlock[] | undefined => {
    const stash = withImages.get(execution)
    if (stash === undefined) return undefined
    withImages.delete(execution)
    // a policy that changed the content meant what it did
    return outcome.isError || !isSameText(outcome.content, stash.rendered) ? undefined : stash.shown
  }

  return {
    name: parts.publicName,
    description: toolDescription(tool, caller.serverName),
    parameters: parts.parameters,
    mcpServerName: caller.serverName,
    mcpRawName: tool.name,
    output: {
      schema: valueSchema(structured),
      render: (_args, value) => textBlocks(value as ToolValue, tool.name),
    },
    async execute(args, execution) {
      const result = await caller.callTool(tool.name, isRecord(args) ? args : {}, { signal: execution.signal })
      if (result.isError === true) throw new Error(errorText(piecesOf(result.content), tool.name))
      const value = valueOf(result, structured)
      if (hasImage(value)) {
        const shown = await imageBlocks(value, () => imageStoreFor(service, execution))
        withImages.set(execution, { rendered: textBlocks(value, tool.name), shown })
      }
      return value
    },
    projectContent: swapImages,
    finalizeContent: swapImages,
    isConcurrencySafe: () => canOverlap,
  }
}
