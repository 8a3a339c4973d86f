import { Failure, serviceUnavailable } from '../../harness/index.ts'
import type { Harness, Pending } from '../../harness/index.ts'

export function notPending(interactionId: string): Failure {
  return new Failure('not_pending', `nothing waits for an answer under "${interactionId}"`, {
    hint: 'It was answered, withdrawn, or never there. dsh_list_interactions shows what waits now.',
    details: { interactionId },
  })
}

/** @throws Failure `service_unavailable` where the harness asks for no decisions. */
export function requireChannel(harness: Harness, kind: Pending['kind'] | 'any'): void {
  if (harness.interactions.channel !== 'none') return
  throw serviceUnavailable(kind === 'question' ? 'userQuestions' : 'approval')
}

/** @throws Failure `service_unavailable`, `not_pending`; `invalid_argument` for one of another kind or session. */
export function requirePending<Kind extends Pending['kind']>(
  harness: Harness,
  kind: Kind,
  interactionId: string,
  sessionId: string | undefined,
): Extract<Pending, { readonly kind: Kind }> {
  requireChannel(harness, kind)
  const pending = harness.interactions.list().find((each) => each.interactionId === interactionId)
  if (pending === undefined) throw notPending(interactionId)
  if (pending.kind !== kind) {
    const tool = pending.kind === 'approval' ? 'dsh_answer_approval' : 'dsh_answer_question'
    throw new Failure('invalid_argument', `"${interactionId}" is a ${pending.kind}`, { hint: `Use ${tool}.` })
  }
  if (sessionId !== undefined && sessionId !== pending.sessionId) {
    throw new Failure('invalid_argument', `"${interactionId}" belongs to session "${pending.sessionId}"`, {
      hint: 'Leave sessionId out, or give that one.',
    })
  }
  return pending as Extract<Pending, { readonly kind: Kind }>
}
