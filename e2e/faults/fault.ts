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

/** A fault at one point. Rejects when the product does not behave during it; what must hold after it the runner asks. */
export interface FaultPoint {
  readonly point: string
  /** Takes tens of seconds: not in a short run. */
  readonly long?: boolean
  /** May resolve with the reason why this machine cannot do it. */
  inject(scene: Scene, amounts: Amounts): Promise<void | { readonly skipped: string } | { readonly note: string }>
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
  readonly ms: number
}
