import type { ToolDefinition } from '@dsh-mcp/host'
import type { ToolEntry } from '../tools/index.ts'
import { asJson, DESCRIBE_TOOL, objectOf, SEARCH_TOOLS, type ToolAppearance } from './broker-tool.ts'
import { ownDescription, type ToolFinder } from './tool-finder.ts'

export const DESCRIBE_PARAMETERS = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 1, description: 'Name of the tool as mcp_search_tools gives it.' } },
  required: ['name'],
} as const

/** What the model sees of the tool. */
export const DESCRIBE_APPEARANCE: ToolAppearance = {
  name: DESCRIBE_TOOL,
  description: 'Show the full description and the exact input schema of one MCP tool.',
  parameters: DESCRIBE_PARAMETERS,
}

const TEXT = { type: 'string' } as const
const MOST_NAMES = 10

/**
 * The tool an agent means.
 * @throws Error when it sees no such tool, or several.
 */
export function visibleTool(finder: ToolFinder, name: string, agent: object | undefined): ToolEntry {
  const resolution = finder.resolve(name, agent)
  switch (resolution.kind) {
    case 'tool':
      return resolution.entry
    case 'ambiguous': {
      const names = resolution.entries.slice(0, MOST_NAMES).map(({ publicName }) => publicName)
      throw new Error(`"${name}" may be one of ${names.join(', ')}. Use the whole name.`)
    }
    case 'not-visible': {
      const near = finder.find({ query: name, limit: 3 }, agent).found.map(({ entry }) => entry.publicName)
      const hint = near.length === 0 ? '' : ` Near: ${near.join(', ')}.`
      throw new Error(`MCP tool "${name}" is not visible in this session.${hint} Find tools with ${SEARCH_TOOLS}.`)
    }
  }
}

/** `mcp_describe_tool`: `{name, server, tool, description, inputSchema}`. */
export function describeToolDefinition(finder: ToolFinder): ToolDefinition {
  return {
    ...DESCRIBE_APPEARANCE,
    output: {
      schema: objectOf({ name: TEXT, server: TEXT, tool: TEXT, description: TEXT, inputSchema: {} }),
      render: asJson,
    },
    isConcurrencySafe: () => true,
    async execute(args, { agent }) {
      const { describeInput, readInput } = await import('./arguments.ts')
      const { name } = readInput(DESCRIBE_TOOL, describeInput, args)
      const entry = visibleTool(finder, name, agent)
      return {
        name: entry.publicName,
        server: entry.serverName,
        tool: entry.rawName,
        description: ownDescription(entry),
        inputSchema: entry.definition.parameters,
      }
    },
  }
}
