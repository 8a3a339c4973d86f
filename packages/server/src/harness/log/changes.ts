import type { SessionEvent } from '@dsh-mcp/host'
import { toolOutcome } from './blocks.ts'

/** One piece of a file before and after. */
interface Hunk {
  readonly path: string
  readonly oldText: string
  readonly newText: string
}

/** What one tool call did to one file. */
export interface FileChange {
  readonly path: string
  /** The tool's name. */
  readonly operation: string
  readonly seq: number
  readonly turn: number
  readonly added: number
  readonly removed: number
  /** Lines with `-` and `+` in front, for each hunk under a `@@`. */
  readonly diff: string
}

function linesOf(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

/** Lines that differ, without those that both sides begin or end with. */
function lineDiff({ oldText, newText }: Hunk): { added: number; removed: number; diff: string } {
  const before = linesOf(oldText)
  const after = linesOf(newText)
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end++
  }
  const removed = before.slice(start, before.length - end)
  const added = after.slice(start, after.length - end)
  const lines = ['@@', ...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)]
  return { added: added.length, removed: removed.length, diff: lines.join('\n') }
}

function isHunk(value: unknown): value is Hunk {
  if (typeof value !== 'object' || value === null) return false
  const { path, oldText, newText } = value as Partial<Hunk>
  return typeof path === 'string' && typeof oldText === 'string' && typeof newText === 'string'
}

/** The file hunks of a tool result; undefined when the tool reports none, which is not the same as an empty list. */
function hunksOf(meta: unknown): readonly Hunk[] | undefined {
  if (typeof meta !== 'object' || meta === null || !('diffs' in meta) || !Array.isArray(meta.diffs)) return undefined
  return meta.diffs.every(isHunk) ? meta.diffs : undefined
}

function parseArguments(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // The model wrote no JSON; such a call fails and changes nothing.
    return {}
  }
}

/** A file that did not exist has no hunks: its path and text are in the call. */
function newFile(args: Readonly<Record<string, unknown>>): readonly Hunk[] {
  const path = args.file_path ?? args.path
  const newText = args.content ?? args.file_text
  if (typeof path !== 'string') return []
  return [{ path, oldText: '', newText: typeof newText === 'string' ? newText : '' }]
}

type Call = Extract<SessionEvent, { readonly type: 'tool/call' }>

/** File changes that the file tools report in a log, oldest first, of events with a seq above `afterSeq`. */
export function fileChanges(events: readonly SessionEvent[], afterSeq: number): readonly FileChange[] {
  const calls = new Map<string, Call>()
  const changes: FileChange[] = []
  for (const event of events) {
    if (event.type === 'turn/start') calls.clear()
    else if (event.type === 'tool/call') calls.set(event.data.callId, event)
    if (event.type !== 'tool/result' || event.seq <= afterSeq) continue
    const hunks = hunksOf(event.data.meta)
    const { callId, isError } = toolOutcome(event.data.message)
    const call = calls.get(callId)
    if (hunks === undefined || isError || call === undefined) continue
    const pieces = hunks.length > 0 ? hunks : newFile(parseArguments(call.data.arguments))
    const byPath = Map.groupBy(pieces, (hunk) => hunk.path)
    for (const [path, own] of byPath) {
      const diffs = own.map(lineDiff)
      changes.push({
        path,
        operation: call.data.name,
        seq: event.seq,
        turn: event.data.turn,
        added: diffs.reduce((sum, each) => sum + each.added, 0),
        removed: diffs.reduce((sum, each) => sum + each.removed, 0),
        diff: diffs.map((each) => each.diff).join('\n'),
      })
    }
  }
  return changes
}
