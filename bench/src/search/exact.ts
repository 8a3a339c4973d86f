import { SearchIndex } from '../../../packages/manager/src/broker/index.ts'
import type { SearchableTool } from '../../../packages/manager/src/broker/index.ts'

/** Shares of names for which what they name comes first. */
export interface ExactShares {
  readonly tools: number
  readonly servers: number
}

const key = (name: string): string => name.toLowerCase().replaceAll(/[\s._-]+/g, ' ')

/** Asks for every tool by its own name and as `server.tool`, and for every server by name. */
export function exactShares(tools: readonly SearchableTool[]): ExactShares {
  const index = new SearchIndex()
  index.change([], tools)
  const first = (query: string, count = 1) => index.search({ query, limit: count }).hits.map(({ tool }) => tool)
  const named = tools.flatMap((tool) => [
    key(first(tool.tool)[0]?.tool ?? '') === key(tool.tool),
    first(`${tool.server}.${tool.tool}`)[0]?.name === tool.name,
  ])
  const servers = Map.groupBy(tools, ({ server }) => server)
  const whole = [...servers].map(([server, own]) =>
    first(server, own.length).every((tool) => tool.server === server || key(tool.tool) === key(server)),
  )
  const share = (verdicts: readonly boolean[]) => verdicts.filter(Boolean).length / verdicts.length
  return { tools: share(named), servers: share(whole) }
}
