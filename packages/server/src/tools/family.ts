import type { Harness } from '../harness/index.ts'

/** The subagents of a session, of any depth, live and stored; parents before their children. */
export async function descendantsOf(
  harness: Harness,
  sessionId: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const rows = (await harness.list.all(signal)).filter((row) => row.origin === 'subagent')
  const children = Map.groupBy(rows, (row) => row.parentSessionId)
  const found: string[] = []
  const open = [sessionId]
  for (let parent = open.shift(); parent !== undefined; parent = open.shift()) {
    for (const child of children.get(parent) ?? []) {
      if (found.includes(child.sessionId)) continue
      found.push(child.sessionId)
      open.push(child.sessionId)
    }
  }
  return found
}
