import { textOf } from '../../harness/index.ts'
import type { Harness, Listed } from '../../harness/index.ts'

export interface SearchReport {
  /** `index`: the harness's own search; `scan`: the newest logs were read. */
  readonly mode: 'index' | 'scan'
  readonly scanned: number
  /** Whether sessions were left out of the search. */
  readonly truncated: boolean
}

export interface ContentSearch {
  readonly rows: readonly Listed[]
  readonly search: SearchReport
}

/** How much a scan may read: sessions, and milliseconds. */
const scanSessions = 200
const scanMs = 3000
const indexPage = 50
const indexPages = 20

async function searchIndex(
  harness: Harness,
  candidates: readonly Listed[],
  query: string,
  signal: AbortSignal,
): Promise<ContentSearch | undefined> {
  const engine = harness.host.get('sessionQuery')
  if (engine === undefined) return undefined
  const byId = new Map(candidates.map((row) => [row.sessionId, row]))
  const rows: Listed[] = []
  let cursor: string | undefined
  try {
    for (let page = 0; page < indexPages; page++) {
      const { items, nextCursor } = await engine.searchSessions(
        { query, limit: indexPage, ...(cursor === undefined ? {} : { cursor }) },
        { signal },
      )
      for (const { header } of items) {
        const row = byId.get(header.id)
        if (row !== undefined && !rows.includes(row)) rows.push(row)
      }
      cursor = nextCursor
      if (cursor === undefined) break
    }
  } catch {
    signal.throwIfAborted()
    // The index is off unless the user has turned it on.
    return undefined
  }
  const newestFirst = rows.sort((a, b) => b.updatedAt - a.updatedAt)
  return { rows: newestFirst, search: { mode: 'index', scanned: candidates.length, truncated: cursor !== undefined } }
}

async function says(harness: Harness, sessionId: string, wanted: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { events } = await harness.logs.read(sessionId, signal)
    return events.some(
      (event) =>
        (event.type === 'user/message' && textOf(event.data.content).toLocaleLowerCase().includes(wanted)) ||
        (event.type === 'assistant/message' && textOf(event.data.message.content).toLocaleLowerCase().includes(wanted)),
    )
  } catch {
    signal.throwIfAborted()
    // A damaged log says nothing.
    return false
  }
}

async function scan(
  harness: Harness,
  candidates: readonly Listed[],
  query: string,
  signal: AbortSignal,
): Promise<ContentSearch> {
  const wanted = query.toLocaleLowerCase()
  const deadline = performance.now() + scanMs
  const rows: Listed[] = []
  let scanned = 0
  for (const row of candidates.slice(0, scanSessions)) {
    if (performance.now() > deadline) break
    if (await says(harness, row.sessionId, wanted, signal)) rows.push(row)
    scanned++
  }
  return { rows, search: { mode: 'scan', scanned, truncated: scanned < candidates.length } }
}

/** Sessions in which `query` was said, newest first: by the harness's index where it is on, else by reading the newest logs. */
export async function searchContent(
  harness: Harness,
  candidates: readonly Listed[],
  query: string,
  signal: AbortSignal,
): Promise<ContentSearch> {
  return (await searchIndex(harness, candidates, query, signal)) ?? scan(harness, candidates, query, signal)
}
