import { meansTool, type OfferedTools, type ToolEntry } from '../tools/index.ts'
import { SearchIndex, type SearchableTool } from './search/index.ts'

/** The MCP tools behind the broker, as `tools/` offers them. */
export type BrokeredTools = Pick<OfferedTools, 'catalog' | 'visible' | 'find' | 'subscribe'>

export interface FoundTool {
  readonly entry: ToolEntry
  readonly score: number
}

export interface FoundTools {
  /** Before the limit. */
  readonly total: number
  readonly found: readonly FoundTool[]
}

export interface FindRequest {
  readonly query?: string | undefined
  /** Name of a server, any case. */
  readonly server?: string | undefined
  readonly limit: number
}

/** What a name stands for in the eyes of one agent. */
export type Resolution =
  | { readonly kind: 'tool'; readonly entry: ToolEntry }
  | { readonly kind: 'ambiguous'; readonly entries: readonly ToolEntry[] }
  | { readonly kind: 'not-visible' }

export interface ToolFinder {
  /** Searches what `agent` sees now. */
  find(request: FindRequest, agent: object | undefined): FoundTools
  /** By public name; else by the server's own name or `server.tool`, when that means one visible tool. */
  resolve(name: string, agent: object | undefined): Resolution
  close(): void
}

/** A tool's own description, without the mark of where it comes from. */
export function ownDescription({ definition, serverName }: ToolEntry): string {
  const mark = ` [${serverName} MCP]`
  return definition.description.endsWith(mark) ? definition.description.slice(0, -mark.length) : definition.description
}

function searchable(entry: ToolEntry): SearchableTool {
  return {
    name: entry.publicName,
    server: entry.serverName,
    serverTitle: entry.serverTitle,
    tool: entry.rawName,
    title: entry.title,
    description: ownDescription(entry),
    inputSchema: entry.definition.parameters,
  }
}

/** Keeps one index of all offered tools, brought up to date by difference when it is asked after a change. */
export function createToolFinder(tools: BrokeredTools): ToolFinder {
  const index = new SearchIndex()
  const indexed = new Map<string, ToolEntry>()
  let isStale = true
  const unsubscribe = tools.subscribe(() => {
    isStale = true
  })

  function refresh(): void {
    if (!isStale) return
    const wanted = new Map(tools.catalog.offered().map((entry) => [entry.publicName, entry]))
    const gone = [...indexed.keys()].filter((name) => !wanted.has(name))
    const come = [...wanted.values()].filter((entry) => indexed.get(entry.publicName) !== entry)
    index.change(gone, come.map(searchable))
    for (const name of gone) indexed.delete(name)
    for (const entry of come) indexed.set(entry.publicName, entry)
    isStale = false
  }

  return {
    find({ query, server, limit }, agent) {
      refresh()
      const visible = new Set(tools.visible(agent).map((entry) => entry.publicName))
      const wanted = server?.toLowerCase()
      const answer = index.search({
        query,
        limit,
        among: (tool) => visible.has(tool.name) && (wanted === undefined || tool.server.toLowerCase() === wanted),
      })
      return {
        total: answer.total,
        found: answer.hits.map(({ tool, score }) => ({ entry: indexed.get(tool.name)!, score })),
      }
    },
    resolve(name, agent) {
      const exact = tools.find(name, agent)
      if (exact !== undefined) return { kind: 'tool', entry: exact }
      const meant = tools
        .visible(agent)
        .filter(
          ({ serverName, rawName }) => meansTool(name, serverName, rawName) || name === `${serverName}.${rawName}`,
        )
      if (meant.length > 1) return { kind: 'ambiguous', entries: meant }
      return meant[0] === undefined ? { kind: 'not-visible' } : { kind: 'tool', entry: meant[0] }
    },
    close: unsubscribe,
  }
}
