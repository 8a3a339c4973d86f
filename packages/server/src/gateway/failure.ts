import type { Era } from './era.ts'
import { errorCode, ProtocolError } from './errors.ts'
import type { JsonValue } from './json.ts'
import { errorReply } from './reply.ts'
import type { Reply } from './reply.ts'

/**
 * Answers a request whose handler threw. A ProtocolError says what the client may know; of anything else the client learns
 * only that it happened, and `report` learns the rest.
 */
export function failureReply(
  id: JsonValue,
  method: string,
  era: Era,
  error: unknown,
  report: ((method: string, error: unknown) => void) | undefined,
): Reply {
  if (!(error instanceof ProtocolError)) {
    report?.(method, error)
    return errorReply(200, id, errorCode.internalError, `Internal error in ${method}; the harness log has the cause`)
  }
  const { status, code } = place(error, era)
  return errorReply(status, id, code, error.message, error.data)
}

function place(error: ProtocolError, era: Era): { status: number; code: number } {
  switch (error.kind) {
    case 'unknown-tool':
    case 'invalid-params':
      return { status: 200, code: errorCode.invalidParams }
    case 'resource-not-found':
      return { status: 200, code: era === 'legacy' ? errorCode.resourceNotFound : errorCode.invalidParams }
    case 'service-unavailable':
      return { status: 200, code: errorCode.internalError }
    case 'missing-client-capability':
      return {
        status: 400,
        code: era === 'legacy' ? errorCode.invalidRequest : errorCode.missingRequiredClientCapability,
      }
  }
}
