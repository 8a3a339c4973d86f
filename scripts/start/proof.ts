import { setTimeout as sleep } from 'node:timers/promises'

/** One thing that is shown to work, with a name for the person who reads the line. */
export interface Proof {
  readonly name: string
  /** Shows it; resolves with a short detail, rejects with what was seen instead. */
  prove(signal: AbortSignal): Promise<string>
}

/** Runs proofs one after the other, one line each, at most `limitMs` each. Resolves with the names of those that failed. */
export async function runProofs(
  proofs: readonly Proof[],
  print: (line: string) => void,
  limitMs = 30_000,
): Promise<readonly string[]> {
  const failed: string[] = []
  for (const proof of proofs) {
    const started = performance.now()
    const controller = new AbortController()
    const timer = new AbortController()
    const late = sleep(limitMs, undefined, { signal: timer.signal }).then(
      () => {
        throw new Error(`nothing within ${limitMs / 1000} s`)
      },
      () => new Promise<never>(() => {}),
    )
    try {
      const detail = await Promise.race([proof.prove(controller.signal), late])
      print(`ok      ${proof.name}: ${detail} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
    } catch (error) {
      failed.push(proof.name)
      print(`FAILED  ${proof.name}: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      timer.abort()
      controller.abort()
    }
  }
  return failed
}
