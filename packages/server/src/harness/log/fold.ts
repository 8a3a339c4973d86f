import type { ModelSelection, SessionEvent, TodoItem, ToolDeclaration, TurnEndReason, UserMessage } from '@dsh-mcp/host'
import { textOf } from './blocks.ts'

export type TurnOutcome = TurnEndReason['kind']

/** One turn of a session. Times in milliseconds since the Unix epoch; the `ended…` members are null while it runs. */
export interface Turn {
  readonly turn: number
  readonly startedSeq: number
  readonly startedAt: number
  endedSeq: number | null
  endedAt: number | null
  outcome: TurnOutcome | null
  error: { readonly code: string; readonly message: string } | null
  cancelledBy: string | null
  /** Seq of the last assistant message with text. */
  replySeq: number | null
}

/** Where a message of a user stands. */
export type MessageFate =
  | { readonly kind: 'unknown' | 'queued' | 'discarded' }
  | { readonly kind: 'claimed'; readonly turn: Turn }

/** Messages that wait: each for a turn of its own, or for the next step of the running one. */
export interface MessageQueue {
  readonly nextTurn: readonly UserMessage[]
  readonly nextStep: readonly UserMessage[]
}

/** What a session log says, read once from front to back and kept up to date event by event. */
export interface LogFold {
  /** Seq of the next event to push. */
  readonly nextSeq: number
  readonly turns: readonly Turn[]
  readonly title: string | undefined
  /** From the log where the session changed its preset while it was blank. */
  readonly agentPreset: string | undefined
  readonly model: ModelSelection | undefined
  /** Seq of the request that used `model`; -1 before any. */
  readonly modelSeq: number
  /** What the session may touch, when it was ever set: `read-only`, `workspace-write`, `danger-full-access`. */
  readonly sandboxMode: string | undefined
  readonly tools: readonly ToolDeclaration[] | undefined
  readonly todos: readonly TodoItem[] | undefined
  readonly planMode: boolean
  /** Time of the last event of a person's making, or of the end of a turn. */
  readonly lastActivityAt: number
  readonly lastPromptAt: number
  readonly queue: MessageQueue
  openTurn(): Turn | undefined
  lastEndedTurn(): Turn | undefined
  fateOf(messageId: string): MessageFate
  push(event: SessionEvent): void
}

/** An empty fold; push the events in the order of their `seq`, without a gap. */
export function createLogFold(): LogFold {
  const turns: Turn[] = []
  const turnOfMessage = new Map<string, Turn>()
  const pending = { 'next-turn': [] as UserMessage[], 'next-step': [] as UserMessage[] }
  const discarded = new Set<string>()
  let nextSeq = 0
  let title: string | undefined
  let agentPreset: string | undefined
  let model: ModelSelection | undefined
  let modelSeq = -1
  let sandboxMode: string | undefined
  let tools: readonly ToolDeclaration[] | undefined
  let todos: readonly TodoItem[] | undefined
  let planMode = false
  let lastActivityAt = 0
  let lastPromptAt = 0

  const openTurn = (): Turn | undefined => {
    const last = turns.at(-1)
    return last?.outcome === null ? last : undefined
  }

  function close(event: SessionEvent & { readonly type: 'turn/end' }): void {
    const turn = openTurn()
    if (turn === undefined) return
    const { reason } = event.data
    turn.endedSeq = event.seq
    turn.endedAt = event.time
    turn.outcome = reason.kind
    if (reason.kind === 'error') turn.error = { code: reason.error.code, message: reason.error.message }
    if (reason.kind === 'aborted') turn.cancelledBy = reason.reason.kind
  }

  function splice(data: (SessionEvent & { readonly type: 'agent/inbox/spliced' })['data']): void {
    const { target, start, removedCount = 0, inserted } = data
    const kept = new Set(inserted.map((message) => message.id))
    const removed = pending[target].splice(start, removedCount, ...inserted)
    const gone = removed.map((message) => message.id).filter((id) => !kept.has(id))
    if (data.outcome === 'canceled') {
      for (const id of gone) discarded.add(id)
      return
    }
    // Claimed for the open turn. Where the step is then rejected, no user/message follows and this is all there is.
    const turn = openTurn()
    if (turn !== undefined) for (const id of gone) turnOfMessage.set(id, turn)
  }

  function push(event: SessionEvent): void {
    nextSeq = event.seq + 1
    switch (event.type) {
      case 'turn/start':
        turns.push({
          turn: event.data.turn,
          startedSeq: event.seq,
          startedAt: event.time,
          endedSeq: null,
          endedAt: null,
          outcome: null,
          error: null,
          cancelledBy: null,
          replySeq: null,
        })
        break
      case 'turn/end':
        close(event)
        lastActivityAt = event.time
        break
      case 'user/message': {
        const turn = openTurn()
        if (turn !== undefined) turnOfMessage.set(event.data.id, turn)
        if (event.data.source.kind === 'user') lastActivityAt = lastPromptAt = event.time
        break
      }
      case 'assistant/message': {
        const turn = openTurn()
        if (turn !== undefined && textOf(event.data.message.content).trim() !== '') turn.replySeq = event.seq
        break
      }
      case 'agent/inbox/spliced':
        splice(event.data)
        break
      case 'session/title':
        title = event.data.title
        break
      case 'agent-preset/selected':
        agentPreset = event.data.agentPreset
        break
      case 'request/header':
        model = event.data.header.config
        modelSeq = event.seq
        tools = event.data.header.tools
        break
      case 'sandbox/mode':
        sandboxMode = event.data.mode
        break
      case 'todo/write':
        todos = event.data.todos
        break
      case 'plan/mode':
        planMode = event.data.active === true
        break
      default:
        break
    }
  }

  return {
    get nextSeq() {
      return nextSeq
    },
    turns,
    get title() {
      return title
    },
    get agentPreset() {
      return agentPreset
    },
    get model() {
      return model
    },
    get modelSeq() {
      return modelSeq
    },
    get sandboxMode() {
      return sandboxMode
    },
    get tools() {
      return tools
    },
    get todos() {
      return todos
    },
    get planMode() {
      return planMode
    },
    get lastActivityAt() {
      return lastActivityAt
    },
    get lastPromptAt() {
      return lastPromptAt
    },
    queue: { nextTurn: pending['next-turn'], nextStep: pending['next-step'] },
    openTurn,
    lastEndedTurn: () => turns.findLast((turn) => turn.outcome !== null),
    fateOf(messageId) {
      const turn = turnOfMessage.get(messageId)
      if (turn !== undefined) return { kind: 'claimed', turn }
      if (discarded.has(messageId)) return { kind: 'discarded' }
      const queued = Object.values(pending).some((queue) => queue.some((message) => message.id === messageId))
      return { kind: queued ? 'queued' : 'unknown' }
    },
    push,
  }
}

/** Folds a whole log. */
export function foldLog(events: readonly SessionEvent[]): LogFold {
  const fold = createLogFold()
  for (const event of events) fold.push(event)
  return fold
}
