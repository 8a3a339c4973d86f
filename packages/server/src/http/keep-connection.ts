import type { IncomingMessage, ServerResponse } from 'node:http'

/** How long an idle connection stays open, in milliseconds. */
const idleMs = 65_000

/**
 * Keeps the connection open for longer than the five seconds that Node announces to the client (`Keep-Alive: timeout=5`).
 * Closed at about that time, it would meet the next request of a client that was busy meanwhile, and `fetch` does not
 * repeat a POST: "fetch failed", "other side closed". Clients close by what was announced, so hardly any stays that long.
 */
export function keepConnection(request: IncomingMessage, response: ServerResponse): void {
  // Node sets its own limit in an earlier listener of the same event, and lifts either at the next request.
  response.on('finish', () => request.socket.setTimeout(idleMs))
}
