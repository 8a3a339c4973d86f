import type { ToolDefinition } from '@dsh-mcp/host'
import { asJson, objectOf, SEARCH_TOOLS, type ToolAppearance } from './broker-tool.ts'
import { explainEmpty, type ServerState } from './empty-answer.ts'
import { ownDescription, type BrokeredTools, type ToolFinder } from './tool-finder.ts'

const DEFAULT_LIMIT = 10
const MOST = 50
const MOST_DESCRIPTION = 300

/** The input schema as the model sees it; `arguments.ts` reads the same. */
export const SEARCH_PARAMETERS = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'What the tool should do, or its name. Leave out to list all tools.' },
    server: { type: 'string', description: 'Only tools of this server: its exact name, any case.' },
    limit: { type: 'number', description: 'Most matches to return: 1 to 50, default 10.' },
  },
} as const

/** What the model sees of the tool. */
export const SEARCH_APPEARANCE: ToolAppearance = {
  name: SEARCH_TOOLS,
  description:
    'Find MCP tools by task ("send an email", "查天气") or by name. Best matches first, each with name, server, tool, ' +
    'description (up to 300 characters) and score; total counts all matches before limit. A note says why none matched.',
  parameters: SEARCH_PARAMETERS,
}

const TEXT = { type: 'string' } as const

/** One line of at most 300 characters. */
function short(description: string): string {
  const line = description.replaceAll(/\s+/g, ' ').trim()
  return line.length <= MOST_DESCRIPTION ? line : `${line.slice(0, MOST_DESCRIPTION - 1).toWellFormed()}…`
}

export interface SearchToolsParts {
  readonly tools: BrokeredTools
  readonly finder: ToolFinder
  readonly servers: (agent: object | undefined) => readonly ServerState[]
}

/** `mcp_search_tools`: `{query, total, matches, note?}`; the note says why there is no match. */
export function searchToolsDefinition({ tools, finder, servers }: SearchToolsParts): ToolDefinition {
  return {
    ...SEARCH_APPEARANCE,
    output: {
      schema: objectOf(
        {
          query: TEXT,
          total: { type: 'integer' },
          matches: {
            type: 'array',
            items: objectOf({ name: TEXT, server: TEXT, tool: TEXT, description: TEXT, score: { type: 'integer' } }),
          },
          note: TEXT,
        },
        ['note'],
      ),
      render: asJson,
    },
    isConcurrencySafe: () => true,
    async execute(args, { agent }) {
      const { readInput, searchInput } = await import('./arguments.ts')
      const { query = '', server, limit = DEFAULT_LIMIT } = readInput(SEARCH_TOOLS, searchInput, args)
      const most = Math.min(Math.max(Math.floor(limit), 1), MOST)
      const { total, found } = finder.find({ query, server, limit: most }, agent)
      const matches = found.map(({ entry, score }) => ({
        name: entry.publicName,
        server: entry.serverName,
        tool: entry.rawName,
        description: short(ownDescription(entry)),
        score,
      }))
      if (total > 0) return { query, total, matches }
      const visibleServers = tools.visible(agent).map(({ serverName }) => serverName)
      return { query, total, matches, note: explainEmpty({ query, server, servers: servers(agent), visibleServers }) }
    },
  }
}
