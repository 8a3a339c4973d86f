import { randomUUID } from 'node:crypto'
import type {
  ApprovalOutcome,
  ApprovalRequest,
  HostServiceContext,
  QuestionAnswer,
  QuestionRequest,
} from '@dsh-mcp/host'
import { createPendingMap } from './pending-map.ts'
import type { Answer, Interactions, Pending } from './types.ts'

export interface WaterfallOptions {
  readonly changed: (sessionId: string) => void
  /** Whether an MCP client works with this session, so that somebody will look at what it asks. */
  readonly isDriven: (sessionId: string) => boolean
  /** Whether to take the one seat for questions, which only a host without gateway leaves free. */
  readonly takeQuestionSeat: boolean
}

/** How the host says that nobody holds the question seat, and that a person waved a question away (0.1.0-rc.8). */
const noProvider = 'NO_PROVIDER'
const cancelled = 'ASK_CANCELLED'

function questionError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}

function codeOf(error: Error): unknown {
  return (error as { readonly code?: unknown }).code
}

interface Open {
  readonly pending: Pending
  settle(value: ApprovalOutcome | QuestionAnswer | Error): void
}

/** Answers a request when ours or the rest of the chain does, whichever comes first. */
function race<T>(
  rest: Promise<T>,
  isAnswer: (value: T) => boolean,
  open: (settle: (value: T | Error) => void) => () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let close = (): void => {}
    const settle = (value: T | Error): void => {
      close()
      if (value instanceof Error) reject(value)
      else resolve(value)
    }
    close = open(settle)
    rest.then(
      (value) => {
        if (isAnswer(value)) settle(value)
      },
      (error: unknown) => {
        // Nobody further down can answer; ours stays open.
        if (!(error instanceof Error)) settle(new Error(String(error)))
        else if (codeOf(error) !== noProvider) settle(error)
      },
    )
  })
}

/**
 * Decisions through the host's own waterfalls, for hosts without the gateway. We stand first in the chain and leave the
 * request to the rest at the same time. A session that no MCP client works with is left to the rest alone.
 */
export function waterfallInteractions(ctx: HostServiceContext, options: WaterfallOptions): Interactions {
  const { changed, isDriven } = options
  const pendingMap = createPendingMap(changed)
  const open = new Map<string, Open>()

  function enter(pending: Pending, signal: AbortSignal | undefined, settle: Open['settle'], aborted: () => void) {
    const { interactionId } = pending
    open.set(interactionId, { pending, settle })
    signal?.addEventListener('abort', aborted, { once: true })
    pendingMap.add(pending)
    return () => {
      signal?.removeEventListener('abort', aborted)
      open.delete(interactionId)
      pendingMap.remove(interactionId)
    }
  }

  function common(sessionId: string) {
    return { interactionId: randomUUID(), sessionId, requestedAt: Date.now() }
  }

  function approve(request: ApprovalRequest, next: () => Promise<ApprovalOutcome>): Promise<ApprovalOutcome> {
    const sessionId = request.agent.id
    if (!isDriven(sessionId) || request.signal?.aborted === true) return next()
    const { toolName, callId, reason, signal } = request
    return race<ApprovalOutcome>(
      next(),
      (outcome) => outcome !== 'unavailable',
      (settle) =>
        enter({ ...common(sessionId), kind: 'approval', toolName, callId, reason }, signal, settle, () =>
          settle('cancelled'),
        ),
    )
  }

  function ask(request: QuestionRequest, rest: () => Promise<QuestionAnswer>): Promise<QuestionAnswer> {
    const sessionId = request.agent?.id
    if (sessionId === undefined || !isDriven(sessionId) || request.signal?.aborted === true) return rest()
    return race<QuestionAnswer>(
      rest(),
      () => true,
      (settle) =>
        enter({ ...common(sessionId), kind: 'question', questions: request.questions }, request.signal, settle, () =>
          settle(questionError('ASK_ABORTED', 'the question was withdrawn before it was answered')),
        ),
    )
  }

  const noAnswerer = (): Promise<never> =>
    Promise.reject(questionError(noProvider, 'nobody is there to answer questions'))

  ctx.on('approval/request', approve, { prepend: true })
  ctx.on('user-questions/request', ask, { prepend: true })
  if (options.takeQuestionSeat) {
    const questions = ctx.get('userQuestions')
    if (questions?.registerProvider !== undefined) {
      const release = questions.registerProvider({ ask: (request) => ask(request, noAnswerer) })
      ctx.effect(() => release, 'mcp: question seat')
    }
  }
  ctx.effect(
    () => () => {
      for (const entry of open.values()) {
        entry.settle(entry.pending.kind === 'approval' ? 'cancelled' : new Error('the MCP server was unloaded'))
      }
    },
    'mcp: open decisions',
  )

  function settle(interactionId: string, value: ApprovalOutcome | QuestionAnswer | Error) {
    const entry = open.get(interactionId)
    if (entry === undefined) return Promise.resolve('not-pending' as const)
    entry.settle(value)
    return Promise.resolve('accepted' as const)
  }

  return {
    channel: 'waterfall',
    list: pendingMap.values,
    decide: ({ interactionId }, allow) => settle(interactionId, allow ? 'allowed-once' : 'rejected'),
    answer: ({ interactionId }, answers: readonly Answer[]) => settle(interactionId, { answers }),
    dismiss: ({ interactionId }) =>
      settle(interactionId, questionError(cancelled, 'the user cancelled ask_user_question')),
  }
}
