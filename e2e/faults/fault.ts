import type { Scene } from './scene.ts'

/** How much of everything a run does. */
export interface Amounts {
  /** Malformed calls of the page's API. */
  readonly calls: number
  /** Malformed frames to the MCP endpoint and the bridge. */
  readonly frames: number
  /** MCP clients at once. */
  readonly clients: number
  /** Seconds of mixed load. */
  readonly loadSeconds: number
  /** Seed of everything drawn. */
  readonly seed: number
  /** Leaves out the points that take long. */
  readonly short: boolean
}

/** How something the harness holds went during a load. */
export interface Figure {
  /** What it is, with its unit. */
  readonly what: string
  /** Median of the first third after the warm-up. */
  readonly start: number
  /** Median of the last third. */
  readonly end: number
  /** Growth over that time along the middle slope. */
  readonly growth: number
  /** The growth at which the point fails. */
  readonly allowed: number
}

/** What a point has to tell when it was survived. */
export interface Told {
  readonly note: string
  readonly figures?: readonly Figure[]
}

/** A fault at one point. Rejects when the product does not behave during it; what must hold after it the runner asks. */
export interface FaultPoint {
  readonly point: string
  /** Takes tens of seconds: not in a short run. */
  readonly long?: boolean
  /** May resolve with the reason why this machine cannot do it. */
  inject(scene: Scene, amounts: Amounts): Promise<void | { readonly skipped: string } | Told>
}

/** A fault with the points it is injected at. */
export interface Fault {
  readonly fault: string
  readonly points: readonly FaultPoint[]
}

/** What came of one point. */
export interface Outcome {
  readonly fault: string
  readonly point: string
  readonly result: 'survived' | 'failed' | 'data lost' | 'skipped'
  /** Why it failed or was skipped, or a figure. */
  readonly note?: string
  readonly figures?: readonly Figure[]
  readonly ms: number
}
