import type { HostServiceContext, ProjectionSnapshot } from '@dsh-mcp/host'
import { logTotals } from './log/totals.ts'
import type { TokenTotals } from './log/totals.ts'
import type { LogView } from './session-logs.ts'

/** What a session itself has cost, without what a fork inherited. Null where the harness does not measure it. Durations in milliseconds. */
export interface Usage {
  readonly tokens: TokenTotals
  readonly context: { readonly used: number | null; readonly window: number | null; readonly ratio: number | null }
  readonly turns: number
  readonly steps: number
  readonly llmMs: number | null
  readonly toolMs: number | null
}

function member(snapshot: ProjectionSnapshot | undefined, key: string): Readonly<Record<string, unknown>> {
  const value = snapshot?.values[key]
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

async function snapshotOf(
  ctx: HostServiceContext,
  { live, header }: LogView,
  signal: AbortSignal | undefined,
): Promise<ProjectionSnapshot | undefined> {
  if (live !== undefined) return ctx.get('sessionProjections')?.snapshot(live)
  try {
    return await ctx.get('sessionProjectionCache')?.coldSnapshot(header.id, signal)
  } catch {
    signal?.throwIfAborted()
    // The log itself still has the tokens.
    return undefined
  }
}

/** Measures one session, live or stored. */
export async function usageOf(ctx: HostServiceContext, view: LogView, signal?: AbortSignal): Promise<Usage> {
  const snapshot = await snapshotOf(ctx, view, signal)
  const pressure = member(snapshot, 'contextPressure')
  const stats = member(snapshot, 'sessionStats')
  const { tokens, turns, steps } = logTotals(view.events, view.header.seedLength ?? 0)
  const metered = view.live === undefined ? null : (ctx.get('tokenMeter')?.measure(view.live).totalTokens ?? null)
  const used = number(pressure.projectedTokens) ?? number(pressure.pressureTokens) ?? metered
  const window = number(pressure.contextWindow)
  return {
    tokens,
    context: { used, window, ratio: used === null || window === null || window === 0 ? null : used / window },
    turns,
    steps,
    llmMs: number(stats.llmMs),
    toolMs: number(stats.toolMs),
  }
}
