import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpointFileName, publishEndpoint } from './endpoint-file.ts'
import type { EndpointRecord } from './endpoint-file.ts'
import { isGone } from './is-gone.ts'

/** How long a home may be without a way to its endpoint, in milliseconds. */
const defaultEveryMs = 2_000

/**
 * Publishes the endpoint and keeps it findable: when another harness of the same home had published its own and has ended,
 * this one's record takes that place. A living one's record stays. Returns what ends it and removes this publication.
 *
 * @throws when the first publication cannot be written.
 */
export function keepEndpoint(
  directory: string,
  record: Omit<EndpointRecord, 'nonce'>,
  everyMs: number = defaultEveryMs,
): () => void {
  let remove = publishEndpoint(directory, record)
  const timer = setInterval(() => {
    if (!isVacant(join(directory, endpointFileName))) return
    try {
      remove = publishEndpoint(directory, record)
    } catch {
      // The disk refuses for now; the next round tries again.
    }
  }, everyMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    remove()
  }
}

/** Whether there is no record, or one whose harness has ended. What is no record of ours is left alone. */
function isVacant(path: string): boolean {
  try {
    lstatSync(path)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
  try {
    const record: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const pid = typeof record === 'object' && record !== null ? (record as Partial<EndpointRecord>).pid : undefined
    return typeof pid === 'number' && Number.isInteger(pid) && pid > 0 && isGone(pid)
  } catch {
    // Unreadable or torn by somebody's hand: the bridge says so.
    return false
  }
}
