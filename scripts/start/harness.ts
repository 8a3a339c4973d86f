import { startWebHost } from '@dsh-mcp/testkit'
import type { WebHost, WebHostOptions } from '@dsh-mcp/testkit'
import { StartError } from './options.ts'

/** The innermost reasons in what a harness printed when it did not start; all of it when there is no such line. */
export function startFailure(printed: string): string {
  const reasons = printed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^(?:\[cause\]: )?\w*Error:/.test(line))
    .map((line) => line.replace('[cause]: ', ''))
  return reasons.length === 0 ? printed.trim() : [...new Set(reasons)].slice(-3).join('\n')
}

/** Boots a harness; a {@link StartError} says why it did not start. */
export async function startHarness(options: WebHostOptions): Promise<WebHost> {
  try {
    return await startWebHost(options)
  } catch (error) {
    const printed = error instanceof Error ? error.message : String(error)
    throw new StartError(`The harness did not start:\n${startFailure(printed)}`, { cause: error })
  }
}
