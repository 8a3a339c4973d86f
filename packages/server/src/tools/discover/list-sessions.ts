import { realpath } from 'node:fs/promises'
import { z } from 'zod'
import type { Listed } from '../../harness/index.ts'
import { defineTool, reads } from '../definition.ts'
import { count, cursor } from '../inputs.ts'
import { pageAfter } from '../list-cursor.ts'
import { outline } from '../outline.ts'
import { summary } from '../shapes.ts'
import { summaryView } from '../views.ts'
import { searchContent } from './content-search.ts'

const input = z.strictObject({
  query: z.string().trim().min(1).max(500).optional().describe('Text to look for'),
  match: z
    .enum(['metadata', 'content'])
    .default('metadata')
    .describe('Where to look for query: title, id and directory; or what was said'),
  state: z.enum(['any', 'live', 'running', 'needs-input', 'stored']).default('any'),
  cwd: z.string().min(1).max(4096).optional().describe('Only sessions of this directory'),
  workspaceId: z.string().min(1).max(200).optional().describe('From dsh_list_workspaces'),
  includeSubagents: z.boolean().default(false),
  includeArchived: z.boolean().default(false),
  limit: count(1, 100, 20),
  cursor: cursor.optional(),
})

type Args = z.output<typeof input>

async function directoriesOf(path: string): Promise<ReadonlySet<string>> {
  const real = await realpath(path).catch(() => path)
  return new Set([path, real])
}

function inState(row: Listed, state: Args['state']): boolean {
  switch (state) {
    case 'any':
      return true
    case 'live':
      return row.live
    case 'running':
    case 'needs-input':
    case 'stored':
      return row.state === state
    default:
      return state satisfies never
  }
}

function mentions(row: Listed, query: string): boolean {
  const wanted = query.toLocaleLowerCase()
  return [row.title, row.sessionId, row.cwd].some((text) => text?.toLocaleLowerCase().includes(wanted) === true)
}

export const listSessions = defineTool({
  name: 'dsh_list_sessions',
  title: 'List sessions',
  description: 'Live and stored sessions, newest first, filtered or searched.',
  hints: reads,
  input,
  output: z.object({
    sessions: z.array(summary),
    nextCursor: z.string().nullable(),
    total: z.int(),
    search: z.object({ mode: z.string(), scanned: z.int(), truncated: z.boolean() }).nullable(),
  }),
  example: { query: 'login bug', limit: 5 },
  async run(args, { harness, signal }) {
    const rows = await harness.list.all(signal)
    const directories = args.cwd === undefined ? undefined : await directoriesOf(args.cwd)
    const candidates = rows.filter(
      (row) =>
        inState(row, args.state) &&
        (args.includeSubagents || row.origin !== 'subagent') &&
        (args.includeArchived || !row.archived) &&
        (args.workspaceId === undefined || row.workspaceId === args.workspaceId) &&
        (directories === undefined || (row.cwd !== null && directories.has(row.cwd))),
    )
    const { query } = args
    const found =
      query === undefined
        ? { rows: candidates, search: null }
        : args.match === 'content'
          ? await searchContent(harness, candidates, query, signal)
          : {
              rows: candidates.filter((row) => mentions(row, query)),
              search: { mode: 'metadata', scanned: candidates.length, truncated: false },
            }
    const { page, nextCursor } = pageAfter(found.rows, args, (row) => [row.updatedAt, row.sessionId])
    const sessions = (await harness.list.withTitles(page, signal)).map(summaryView)
    return { sessions, nextCursor, total: found.rows.length, search: found.search }
  },
  render(output) {
    // A search that was cut off has found nothing so far; the outline says so.
    if (output.total > 0 || output.search?.truncated === true) return outline(output)
    return 'No such session. Leave filters out, or set includeSubagents or includeArchived; dsh_start_session begins one.'
  },
})
