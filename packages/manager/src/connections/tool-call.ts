import { notConnected, readCallError } from './call-errors.ts'
import type { CallToolResult, ConnectionError, ConnectionStatus } from './connection.ts'
import type { LiveSession } from './live-session.ts'
import type { CallLimits } from './session.ts'
import { judge } from './verdict.ts'
import type { Verdict } from './verdict.ts'

/** The connection that a call is made over. */
export interface CallPath {
  server(): { readonly serverName: string; readonly status: ConnectionStatus }
  /** The session to use, once a renewal under way is done; `undefined` when there is none. */
  live(): Promise<LiveSession | undefined>
  /** The server forgot that session: gets another. */
  renew(live: LiveSession): void
  /** What ended the last connection, when one ended. */
  lastEnd(): string | undefined
  redact(text: string): string
  /** Told of a call that failed over a session, and of what that says about the connection. */
  failed(live: LiveSession, failure: ConnectionError, verdict: Verdict): void
}

/**
 * Calls one tool; a second time over a new session when the server forgot the one before.
 * @throws {ConnectionError} not connected, timed out, aborted, refused or lost.
 */
export async function callOver(
  path: CallPath,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  limits: CallLimits,
): Promise<CallToolResult> {
  for (let repeated = false; ; repeated = true) {
    const live = await path.live()
    const { serverName, status } = path.server()
    if (live === undefined) throw notConnected(serverName, tool, status)
    try {
      const result = await live.session.call(tool, args, limits)
      live.heard()
      return result
    } catch (error) {
      const verdict = judge(error)
      if (!repeated && verdict.kind === 'expired') {
        path.renew(live)
        continue
      }
      const failure = await readCallError(error, {
        server: serverName,
        tool,
        timeoutMs: limits.timeoutMs,
        signal: limits.signal,
        ended: path.lastEnd(),
        redact: (text) => path.redact(text),
      })
      path.failed(live, failure, verdict)
      throw failure
    }
  }
}
