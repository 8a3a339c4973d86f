import { z } from 'zod'
import type { Harness, Listed } from '../../harness/index.ts'
import { defineTool, reads } from '../definition.ts'
import { count, cursor } from '../inputs.ts'
import { pageAfter } from '../list-cursor.ts'
import { outlineOf } from '../outline.ts'
import { time } from '../shapes.ts'
import { isoTime } from '../views.ts'

interface Row {
  readonly workspaceId: string | null
  readonly path: string
  readonly title: string
  readonly sessions: readonly Listed[]
  readonly createdAt: number
  readonly updatedAt: number
  status(): Promise<string | null>
}

function newest(sessions: readonly Listed[], least: number): number {
  return sessions.reduce((latest, session) => Math.max(latest, session.updatedAt), least)
}

function registered(harness: Harness, sessions: readonly Listed[]): readonly Row[] {
  const byWorkspace = Map.groupBy(sessions, (session) => session.workspaceId)
  return harness.workspaces.list().map((workspace) => {
    const own = byWorkspace.get(workspace.id) ?? []
    return {
      workspaceId: workspace.id,
      path: workspace.path,
      title: workspace.title,
      sessions: own,
      createdAt: Date.parse(workspace.createdAt),
      updatedAt: newest(own, Date.parse(workspace.updatedAt)),
      status: () => workspace.status(),
    }
  })
}

/** Without a registry: the directories that sessions work in. */
function byDirectory(sessions: readonly Listed[]): readonly Row[] {
  const groups = Map.groupBy(sessions, (session) => session.cwd)
  return [...groups].flatMap(([path, own]) =>
    path === null
      ? []
      : [
          {
            workspaceId: null,
            path,
            title: path,
            sessions: own,
            createdAt: own.reduce((first, session) => Math.min(first, session.createdAt), Infinity),
            updatedAt: newest(own, 0),
            status: () => Promise.resolve(null),
          },
        ],
  )
}

export const listWorkspaces = defineTool({
  name: 'dsh_list_workspaces',
  title: 'List workspaces',
  description: 'Registered project directories with session counts.',
  hints: reads,
  input: z.strictObject({ limit: count(1, 200, 50), cursor: cursor.optional() }),
  output: z.object({
    source: z.enum(['registry', 'cwd']).describe('cwd: this harness registers none; grouped by session directory'),
    workspaces: z.array(
      z.object({
        workspaceId: z.string().nullable(),
        path: z.string(),
        title: z.string(),
        status: z.string().nullable().describe('ok or missing-dir'),
        sessionCount: z.int(),
        liveCount: z.int(),
        createdAt: time,
        updatedAt: time,
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
  example: {},
  async run(args, { harness, signal }) {
    const sessions = (await harness.list.all(signal)).filter((row) => row.origin !== 'subagent' && !row.archived)
    const { mounted } = harness.workspaces
    const rows = [...(mounted ? registered(harness, sessions) : byDirectory(sessions))]
    rows.sort((a, b) => b.updatedAt - a.updatedAt || (a.path < b.path ? -1 : 1))
    const { page, nextCursor } = pageAfter(rows, args, (row) => [row.updatedAt, row.path])
    const workspaces = await Promise.all(
      page.map(async ({ workspaceId, path, title, sessions: own, createdAt, updatedAt, status }) => ({
        workspaceId,
        path,
        title,
        status: await status(),
        sessionCount: own.length,
        liveCount: own.filter((session) => session.live).length,
        createdAt: isoTime(createdAt),
        updatedAt: isoTime(updatedAt),
      })),
    )
    const source: 'registry' | 'cwd' = mounted ? 'registry' : 'cwd'
    return { source, workspaces, nextCursor }
  },
  render: (output) => outlineOf(output.workspaces, 'No directory is registered. Give dsh_start_session a cwd.', output),
})
