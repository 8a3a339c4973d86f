import type { Clock } from './clock.ts'
import type { TokenFailure } from './token-source.ts'

const firstMs = 1_000
const longestMs = 15_000

/** After an outage the provider is left alone for a while: 1, 2, 4 … 15 s. Meanwhile the outage is the answer. */
export interface RefreshPause {
  /** The outage to answer with; `undefined` when the provider may be asked. */
  outcome(): TokenFailure | undefined
  /** Begins a pause, longer than the one before. */
  begin(outcome: TokenFailure): void
  /** The provider answered: the next pause is a short one again. */
  end(): void
}

/** A pause by the flow's clock. */
export function refreshPause(clock: Clock): RefreshPause {
  let pause: { readonly until: number; readonly length: number; readonly outcome: TokenFailure } | undefined
  return {
    outcome: () => (pause !== undefined && clock.now() < pause.until ? pause.outcome : undefined),
    begin(outcome) {
      const length = pause === undefined ? firstMs : Math.min(longestMs, pause.length * 2)
      pause = { until: clock.now() + length, length, outcome }
    },
    end() {
      pause = undefined
    },
  }
}
