import { loadEngine } from './engine.ts'
import { ConnectionError } from './connection.ts'
import type { ConnectionStatus } from './connection.ts'
import { AuthorizationNeeded, describeFailure, findCause } from './failures.ts'
import { frameTooLarge } from './stdio/stdio-transport.ts'

/** The call that failed, for its message. */
export interface FailedCall {
  readonly server: string
  readonly tool: string
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** What ended the connection, when it ended. */
  readonly ended: string | undefined
  readonly redact: (text: string) => string
}

/** Reads whatever a call threw as one of our own errors. */
export async function readCallError(error: unknown, call: FailedCall): Promise<ConnectionError> {
  if (error instanceof ConnectionError) return error
  const { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } = await loadEngine()
  const name = `tool "${call.tool}" of MCP server "${call.server}"`
  const make = (code: ConnectionError['code'], text: string): ConnectionError =>
    new ConnectionError(code, call.redact(`${name} ${text}`), { cause: error })

  if (call.signal?.aborted === true) return make('aborted', 'was cancelled')
  const needed = findCause(error, AuthorizationNeeded)
  if (needed !== undefined) {
    const scope = needed.missingScope === undefined ? '' : ` (needed scope: ${needed.missingScope})`
    return make(
      needed.missingScope === undefined ? 'needs-auth' : 'insufficient-scope',
      `needs a login: ${needed.message}${scope}`,
    )
  }
  if (error instanceof ProtocolError) {
    if (error.data === frameTooLarge)
      return make('frame-too-large', `sent an answer that is too large: ${error.message}`)
    return make('protocol', `failed: ${error.message} (code ${error.code})`)
  }
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.RequestTimeout) {
      return make(
        'timeout',
        `gave no answer within ${call.timeoutMs} ms and was given up; it may still be at work. ` +
          'The budget is the "timeout" of the server, in milliseconds',
      )
    }
    if (error.code === SdkErrorCode.ConnectionClosed) {
      return make('closed', `was interrupted: ${call.ended ?? 'the connection was closed'}`)
    }
    if (error.code === SdkErrorCode.UnsupportedResultType || error.code === SdkErrorCode.CapabilityNotSupported) {
      return make('protocol', `asks back for something this client cannot give: ${error.message}`)
    }
    if (!(error instanceof SdkHttpError)) return make('protocol', `failed: ${describeFailure(error)}`)
  }
  return make('transport', `could not be reached: ${describeFailure(error)}`)
}

/** The error of a call to a server that is not connected, with what the server's status says of it. */
export function notConnected(server: string, tool: string, status: ConnectionStatus): ConnectionError {
  const why = 'reason' in status ? `: ${status.reason}` : ''
  const code = status.state === 'needs-auth' ? 'needs-auth' : 'not-connected'
  return new ConnectionError(code, `tool "${tool}": MCP server "${server}" is not connected (${status.state}${why})`)
}
