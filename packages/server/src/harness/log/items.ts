import type { SessionEvent } from '@dsh-mcp/host'
import { reasoningOf, textOf, toolOutcome } from './blocks.ts'
import { clip } from './text.ts'

export type Detail = 'messages' | 'tools' | 'full'

/** One entry of a transcript. `fullChars` is the length before clipping, in UTF-16 units. */
export interface Item {
  readonly seq: number
  readonly time: string
  readonly type: string
  readonly role?: 'user' | 'assistant' | 'tool'
  readonly text?: string
  readonly truncated?: true
  readonly fullChars?: number
  readonly tool?: {
    readonly callId: string
    readonly name: string
    readonly arguments?: string
    readonly isError?: boolean
  }
  readonly turn?: number
  /** Who wrote a message that no person wrote, or which MCP client wrote it. */
  readonly source?: string
}

interface Draft {
  readonly type: string
  readonly role?: 'user' | 'assistant' | 'tool'
  readonly text?: string
  readonly tool?: NonNullable<Item['tool']>
  readonly turn?: number
  readonly source?: string
}

const none: readonly Draft[] = []

/** What the name of a call was, by its id; undefined when the call is not in the log. */
export type CallName = (callId: string, resultSeq: number) => string | undefined

function userDraft(event: SessionEvent & { readonly type: 'user/message' }, detail: Detail): readonly Draft[] {
  const { source, content } = event.data
  const text = textOf(content)
  if (source.kind === 'user') {
    const client = source.mcpClient
    return [{ type: 'user', role: 'user', text, ...(typeof client === 'string' ? { source: client } : {}) }]
  }
  return detail === 'full' ? [{ type: 'context', role: 'user', text, source: source.kind }] : none
}

function assistantDrafts(
  event: SessionEvent & { readonly type: 'assistant/message' },
  detail: Detail,
): readonly Draft[] {
  const { turn, message } = event.data
  const drafts: Draft[] = []
  const reasoning = detail === 'full' ? reasoningOf(message.content) : ''
  if (reasoning !== '') drafts.push({ type: 'reasoning', role: 'assistant', text: reasoning, turn })
  const text = textOf(message.content)
  if (text.trim() !== '') drafts.push({ type: 'assistant', role: 'assistant', text, turn })
  return drafts
}

function fullDrafts(event: SessionEvent): readonly Draft[] {
  switch (event.type) {
    case 'turn/start':
      return [{ type: 'turn-start', turn: event.data.turn }]
    case 'turn/end': {
      const { turn, reason } = event.data
      const why = reason.kind === 'error' ? `${reason.kind}: ${reason.error.code} ${reason.error.message}` : reason.kind
      return [{ type: 'turn-end', text: why, turn }]
    }
    case 'approval/asked': {
      const { toolName, callId, reason } = event.data
      return [
        {
          type: 'approval',
          text: `asked${reason === undefined ? '' : `: ${reason}`}`,
          tool: { callId: callId ?? '', name: toolName },
        },
      ]
    }
    case 'approval/decided':
      return [{ type: 'approval', text: `decided: ${event.data.outcome}` }]
    case 'command/run':
      return [{ type: 'command', text: `/${event.data.name} ${event.data.args ?? ''}`.trimEnd() }]
    case 'command/done':
      return [
        { type: 'command', text: `${event.data.kind}${event.data.text === undefined ? '' : `: ${event.data.text}`}` },
      ]
    case 'compaction/start':
    case 'compaction/end':
      return [{ type: 'compaction', text: event.type.slice('compaction/'.length) }]
    case 'todo/write':
      return [{ type: 'todo', text: event.data.todos.map((todo) => `[${todo.status}] ${todo.content}`).join('\n') }]
    case 'session/title':
      return [{ type: 'title', text: event.data.title }]
    default:
      return none
  }
}

/** The tool by which a model asks a person; its calls are items of their own (observed on DSH 0.1.0-rc.8). */
export const questionTool = 'ask_user_question'

function draftsOf(event: SessionEvent, detail: Detail, callName: CallName): readonly Draft[] {
  switch (event.type) {
    // A node that replaces others restates older text (compaction).
    case 'user/message':
      return event.surfaceOp === 'append' ? userDraft(event, detail) : none
    case 'assistant/message':
      return event.surfaceOp === 'append' ? assistantDrafts(event, detail) : none
    case 'tool/call': {
      if (detail === 'messages') return none
      const { callId, name, arguments: args, turn } = event.data
      const type = detail === 'full' && name === questionTool ? 'question' : 'tool-call'
      return [{ type, role: 'assistant', tool: { callId, name, arguments: args }, turn }]
    }
    case 'tool/result': {
      if (detail === 'messages' || event.surfaceOp !== 'append') return none
      const { callId, isError, text } = toolOutcome(event.data.message)
      const name = callName(callId, event.seq) ?? ''
      return [{ type: 'tool-result', role: 'tool', text, tool: { callId, name, isError }, turn: event.data.turn }]
    }
    default:
      return detail === 'full' ? fullDrafts(event) : none
  }
}

function bounded(draft: Draft, event: SessionEvent, max: number): Item {
  const text = draft.text
  const args = draft.tool?.arguments
  const fullChars = (text?.length ?? 0) + (args?.length ?? 0)
  const head: Item = {
    seq: event.seq,
    time: new Date(event.time).toISOString(),
    ...draft,
  }
  if (fullChars <= max) return head
  return {
    ...head,
    ...(text === undefined ? {} : { text: clip(text, max) }),
    ...(draft.tool === undefined || args === undefined ? {} : { tool: { ...draft.tool, arguments: clip(args, max) } }),
    truncated: true,
    fullChars,
  }
}

/** The items of one event, none for most; each text is at most `itemMaxChars` UTF-16 units. */
export function itemsOf(
  event: SessionEvent,
  detail: Detail,
  itemMaxChars: number,
  callName: CallName,
): readonly Item[] {
  const drafts = draftsOf(event, detail, callName)
  return drafts.length === 0 ? [] : drafts.map((draft) => bounded(draft, event, itemMaxChars))
}

/** Whether an event has any item at this detail. */
export function hasItem(event: SessionEvent, detail: Detail): boolean {
  return draftsOf(event, detail, () => undefined).length > 0
}

/** What an item costs of a page's budget, in UTF-16 units of its text and arguments. */
export function itemChars(item: Item): number {
  return (item.text?.length ?? 0) + (item.tool?.arguments?.length ?? 0)
}

/** An item cut to what is left of the budget. */
export function clipItem(item: Item, max: number): Item {
  const chars = itemChars(item)
  if (chars <= max) return item
  return {
    ...item,
    ...(item.text === undefined ? {} : { text: clip(item.text, max) }),
    ...(item.tool?.arguments === undefined
      ? {}
      : { tool: { ...item.tool, arguments: clip(item.tool.arguments, max) } }),
    truncated: true,
    fullChars: item.fullChars ?? chars,
  }
}
