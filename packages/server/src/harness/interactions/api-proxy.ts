import { randomUUID } from 'node:crypto'
import type { ApiProxy, FrameEnvelope, HostServiceContext } from '@dsh-mcp/host'
import { createPendingMap } from './pending-map.ts'
import type { Answer, Interactions, Pending, PendingApproval, PendingQuestion, Receipt } from './types.ts'

type Mux = NonNullable<NonNullable<ApiProxy['events']>['mux']>
type Respond = NonNullable<ApiProxy['respond']>

/** The two functions this channel stands on. */
export interface GatewayChannel {
  readonly mux: Mux
  readonly respond: Respond
}

/** The channel of a gateway; undefined where it has not both functions. */
export function gatewayChannel(proxy: ApiProxy | undefined): GatewayChannel | undefined {
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
 * subscription stays open, also to a gateway that is mounted anew while the host runs; of each frame only its type is
 * looked at unless it concerns a decision.
 *
 * Observed on DSH 0.1.0-rc.8: a new subscription first replays what is pending.
 */
export function apiProxyInteractions(ctx: HostServiceContext, changed: (sessionId: string) => void): Interactions {
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

  /** What is pending now is no longer ours to answer; another subscription tells of it again. */
  function forget(): void {
    approvalRpc.clear()
    pending.clear()
  }

  async function follow(mux: Mux, signal: AbortSignal): Promise<void> {
    for await (const envelope of mux({ rpcId: randomUUID(), payload: {} }, signal)) {
      if (signal.aborted) return
      take(envelope)
    }
  }

  let respondTo: Respond | undefined
  ctx.inject(['apiProxy'], (mounted) => {
    const channel = gatewayChannel(mounted.get('apiProxy'))
    if (channel === undefined) return
    mounted.effect(() => {
      const unmounted = new AbortController()
      respondTo = channel.respond
      const ended = (): void => {
        if (!unmounted.signal.aborted) forget()
      }
      void follow(channel.mux, unmounted.signal).then(ended, ended)
      return () => {
        unmounted.abort()
        respondTo = undefined
        forget()
      }
    }, 'mcp: decisions')
  })

  async function respond(
    { interactionId }: Pending,
    result: { ok: boolean; value?: unknown; error?: unknown },
  ): Promise<Receipt> {
    const receipt = await respondTo?.({ type: 'client-response', rpcId: interactionId, result })
    if (receipt === undefined) return 'not-pending'
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
