import { z } from 'zod'
import { clip, fileChanges } from '../../harness/index.ts'
import type { Harness, LogView } from '../../harness/index.ts'
import { defineTool, reads } from '../definition.ts'
import { descendantsOf } from '../family.ts'
import { count, sessionId } from '../inputs.ts'

interface FileEntry {
  readonly path: string
  readonly sessionId: string
  readonly operations: string[]
  firstSeq: number
  lastSeq: number
  added: number
  removed: number
  diffs: string[]
}

const shellNote = 'Files that shell commands changed are not seen here; look at version control for those.'

function collect(files: Map<string, FileEntry>, sessionId: string, changes: ReturnType<typeof fileChanges>): void {
  for (const change of changes) {
    const key = `${sessionId}\n${change.path}`
    let file = files.get(key)
    if (file === undefined) {
      const { path, seq } = change
      file = { path, sessionId, operations: [], firstSeq: seq, lastSeq: seq, added: 0, removed: 0, diffs: [] }
      files.set(key, file)
    }
    if (!file.operations.includes(change.operation)) file.operations.push(change.operation)
    file.lastSeq = change.seq
    file.added += change.added
    file.removed += change.removed
    file.diffs.push(change.diff)
  }
}

/** The last seq that a fork has from its parent: what was done there is the parent's. */
function lastInherited({ header }: LogView): number {
  return (header.seedLength ?? 0) - 1
}

/** Paths that file tools changed in the last turn that ended. */
async function deliverablesOf(harness: Harness, id: string, signal: AbortSignal): Promise<readonly string[]> {
  const { events, fold } = await harness.logs.read(id, signal)
  const turn = fold.lastEndedTurn()
  if (turn?.endedSeq == null) return []
  const own = fileChanges(events.slice(0, turn.endedSeq + 1), turn.startedSeq)
  return [...new Set(own.map((change) => change.path))]
}

export const getChanges = defineTool({
  name: 'dsh_get_changes',
  title: 'Get file changes',
  description: 'Files a session edited, with diffs from its own log.',
  hints: reads,
  input: z.strictObject({
    sessionId,
    afterSeq: z.int().min(-1).optional().describe('Only changes after this seq of the session'),
    includeDiffs: z.boolean().default(true),
    includeSubagents: z.boolean().default(true),
    maxChars: count(1000, 200_000, 40_000).describe('Limit for all diffs together'),
    limit: count(1, 200, 100).describe('Files'),
  }),
  output: z.object({
    files: z.array(
      z.object({
        path: z.string(),
        operations: z.array(z.string()),
        firstSeq: z.int(),
        lastSeq: z.int(),
        added: z.int().describe('Lines'),
        removed: z.int().describe('Lines'),
        diff: z.string().optional(),
        sessionId: z.string(),
      }),
    ),
    totalFiles: z.int(),
    truncated: z.boolean(),
    deliverables: z.array(z.string()).describe('Files of the last finished turn'),
    notes: z.array(z.string()),
  }),
  example: { sessionId: 'session-1' },
  async run({ sessionId: id, includeDiffs, includeSubagents, maxChars, limit, ...args }, { harness, signal }) {
    const files = new Map<string, FileEntry>()
    const view = await harness.logs.read(id, signal)
    collect(files, id, fileChanges(view.events, Math.max(args.afterSeq ?? -1, lastInherited(view))))
    for (const child of includeSubagents ? await descendantsOf(harness, id, signal) : []) {
      const own = await harness.logs.read(child, signal)
      collect(files, child, fileChanges(own.events, lastInherited(own)))
    }
    const sorted = [...files.values()].sort((a, b) => b.lastSeq - a.lastSeq)
    let left = maxChars
    let truncated = sorted.length > limit
    const shown = sorted.slice(0, limit).map(({ diffs, ...file }) => {
      if (!includeDiffs) return file
      const full = diffs.join('\n')
      const diff = clip(full, left)
      left -= diff.length
      if (diff.length < full.length) truncated = true
      return diff === '' ? file : { ...file, diff }
    })
    return {
      files: shown,
      totalFiles: sorted.length,
      truncated,
      deliverables: await deliverablesOf(harness, id, signal),
      notes: [shellNote],
    }
  },
})
