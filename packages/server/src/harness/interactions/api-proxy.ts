import { randomUUID } from 'node:crypto'
import type { ApiProxy, FrameEnvelope } from '@dsh-mcp/host'
import { createPendingMap } from './pending-map.ts'
import type { Answer, Interactions, Pending, PendingApproval, PendingQuestion, Receipt } from './types.ts'

type Mux = NonNullable<NonNullable<ApiProxy['events']>['mux']>
type Respond = NonNullable<ApiProxy['respond']>

/** The two functions this channel stands on; undefined where the gateway has not both. */
export function gatewayChannel(proxy: ApiProxy | undefined): { mux: Mux; respond: Respond } | undefined {
  const mux = proxy?.events?.mux
  const respond = proxy?.respond
  if (typeof mux !== 'function' || typeof respond !== 'function') return undefined
  return { mux: mux.bind(proxy!.events), respond: respond.bind(proxy) }
}

function pendingOf({ rpcId, payload }: FrameEnvelope): Pending | undefined {
  const common = { interactionId: rpcId, sessionId: payload.sessionId, requestedAt: Date.now() }
  if (payload.type === 'approval/requested') {
    const { toolName, callId, reason } = payload
    return { ...common, kind: 'approval', toolName, callId, reason }
  }
  if (payload.type === 'question/requested') return { ...common, kind: 'question', questions: payload.questions }
  return undefined
}

/**
 * Decisions through the gateway that the web page uses, so that the page's own prompts close with our answers. One
 * subscription stays open; of each frame only its type is looked at unless it concerns a decision.
 *
 * Observed on DSH 0.1.0-rc.8: a new subscription first replays what is pending.
 */
export function apiProxyInteractions(
  channel: { readonly mux: Mux; readonly respond: Respond },
  changed: (sessionId: string) => void,
  signal: AbortSignal,
): Interactions {
  const pending = createPendingMap(changed)
  const approvalRpc = new Map<string, string>()

  function take(envelope: FrameEnvelope): void {
    const { payload, rpcId } = envelope
    switch (payload.type) {
      case 'approval/requested':
        approvalRpc.set(payload.approvalId, rpcId)
        pending.add(pendingOf(envelope)!)
        break
      case 'question/requested':
        pending.add(pendingOf(envelope)!)
        break
      case 'approval/resolved':
        pending.remove(approvalRpc.get(payload.approvalId) ?? '')
        approvalRpc.delete(payload.approvalId)
        break
      case 'question/resolved':
        pending.remove(payload.questionRpcId)
        break
      default:
        break
    }
  }

  async function follow(): Promise<void> {
    for await (const envelope of channel.mux({ rpcId: randomUUID(), payload: {} }, signal)) take(envelope)
  }
  // The subscription ends with the gateway or with the plugin; what was pending then is no longer ours to answer.
  void follow().then(pending.clear, pending.clear)

  async function respond(
    { interactionId }: Pending,
    result: { ok: boolean; value?: unknown; error?: unknown },
  ): Promise<Receipt> {
    const receipt = await channel.respond({ type: 'client-response', rpcId: interactionId, result })
    if (receipt.accepted) {
      pending.remove(interactionId)
      return 'accepted'
    }
    return receipt.reason === 'bad-response' ? 'bad-answer' : 'not-pending'
  }

  function approvalIdOf(interactionId: string): string {
    for (const [approvalId, rpcId] of approvalRpc) if (rpcId === interactionId) return approvalId
    return ''
  }

  return {
    channel: 'api-proxy',
    list: pending.values,
    decide: (approval: PendingApproval, allow) =>
      respond(approval, {
        ok: true,
        value: {
          sessionId: approval.sessionId,
          approvalId: approvalIdOf(approval.interactionId),
          outcome: allow ? 'allowed-once' : 'rejected',
        },
      }),
    answer: (question: PendingQuestion, answers: readonly Answer[]) =>
      respond(question, { ok: true, value: { sessionId: question.sessionId, answer: { answers } } }),
    dismiss: (question: PendingQuestion) =>
      respond(question, { ok: false, error: { code: 'cancelled', message: 'dismissed', details: {} } }),
  }
}
