import type { HostServiceContext } from '@dsh-mcp/host'
import { apiProxyInteractions, gatewayChannel } from './api-proxy.ts'
import type { Interactions } from './types.ts'
import { waterfallInteractions } from './waterfall.ts'

export type { Answer, Interactions, Pending, PendingQuestion } from './types.ts'

export interface InteractionOptions {
  readonly changed: (sessionId: string) => void
  readonly isDriven: (sessionId: string) => boolean
  /** Whether the gateway is, or may still be, part of the composition. Its question seat must then stay free. */
  readonly gatewayExpected: boolean
}

const noInteractions: Interactions = {
  channel: 'none',
  list: () => [],
  decide: () => Promise.resolve('not-pending'),
  answer: () => Promise.resolve('not-pending'),
  dismiss: () => Promise.resolve('not-pending'),
}

/** Chooses the channel by what the host offers, once its plugin tree has settled. */
export function createInteractions(ctx: HostServiceContext, options: InteractionOptions): Interactions {
  if (gatewayChannel(ctx.get('apiProxy')) !== undefined) return apiProxyInteractions(ctx, options.changed)
  if (ctx.get('approval') === undefined && ctx.get('userQuestions') === undefined) return noInteractions
  return waterfallInteractions(ctx, { ...options, takeQuestionSeat: !options.gatewayExpected })
}
