import type { Amounts, Fault, FaultPoint, Outcome } from './fault.ts'
import { DataLost, openScene, type Scene } from './scene.ts'

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text = error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
  return text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text
}

async function runPoint(scene: Scene, { fault }: Fault, one: FaultPoint, amounts: Amounts): Promise<Outcome> {
  const started = performance.now()
  const end = (result: Outcome['result'], note?: string): Outcome => ({
    fault,
    point: one.point,
    result,
    ms: Math.round(performance.now() - started),
    ...(note !== undefined && { note }),
  })
  try {
    const said = await one.inject(scene, amounts)
    await scene.holds()
    if (said === undefined) return end('survived')
    if ('skipped' in said) return end('skipped', said.skipped)
    return { ...end('survived', said.note), ...(said.figures !== undefined && { figures: said.figures }) }
  } catch (error) {
    return end(error instanceof DataLost ? 'data lost' : 'failed', reasonOf(error))
  }
}

/** A run over faults, all in one scene as long as nothing fails. Disposing it ends the scene. */
export interface FaultRun extends AsyncDisposable {
  /** Injects a fault at all its points, and asks after each whether everything still holds. Tells each outcome as it comes. */
  inject(fault: Fault, tell?: (outcome: Outcome) => void): Promise<readonly Outcome[]>
}

/** Begins a run. After a point that failed the next one gets a new scene. */
export function beginRun(amounts: Amounts): FaultRun {
  let scene: Scene | undefined
  return {
    async inject(fault, tell = () => undefined) {
      const outcomes: Outcome[] = []
      for (const one of fault.points) {
        if (amounts.short && one.long === true) continue
        scene ??= await openScene()
        const outcome = await runPoint(scene, fault, one, amounts)
        outcomes.push(outcome)
        tell(outcome)
        if (outcome.result === 'survived' || outcome.result === 'skipped') continue
        // What is left of a broken scene says nothing of the next fault.
        const broken = scene
        scene = undefined
        await Promise.resolve(broken[Symbol.asyncDispose]()).catch(() => undefined)
      }
      return outcomes
    },
    async [Symbol.asyncDispose]() {
      await scene?.[Symbol.asyncDispose]()
    },
  }
}
