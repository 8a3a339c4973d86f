/** Error codes that this library puts on the wire (JSON-RPC 2.0 §5.1). */
export const METHOD_NOT_FOUND: -32601 = -32601
/** Error codes that this library puts on the wire (JSON-RPC 2.0 §5.1). */
export const INTERNAL_ERROR: -32603 = -32603

/**
 * The peer answered a request with an error. `code` and `data` are what stood on the wire; `code` is `undefined` when the
 * peer sent none or one that is not a number.
 */
export class JsonRpcResponseError extends Error {
  override readonly name: string = 'JsonRpcResponseError'
  readonly code: number | undefined
  readonly data: unknown

  constructor(code: number | undefined, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Why a request ended without an answer of the peer. */
export type JsonRpcTransportErrorCode =
  /** `close()` was called. */
  | 'closed'
  /** The input ended or was destroyed: no answer can arrive any more. */
  | 'input-closed'
  /** The output failed, ended or was destroyed: nothing can be sent any more. */
  | 'output-closed'
  /** The caller gave the request up through its `AbortSignal`, whose reason was not an `Error`. */
  | 'aborted'
  /** No answer within the request's `timeoutMs`. */
  | 'timeout'
  /** The answer was longer than the line limit and was dropped. */
  | 'answer-too-long'
  /** As many requests as `maxPendingRequests` allows are waiting already; this one was not sent. */
  | 'too-many-pending'

/** A request, or the transport itself, failed on this side of the wire. */
export class JsonRpcTransportError extends Error {
  override readonly name: string = 'JsonRpcTransportError'
  readonly code: JsonRpcTransportErrorCode

  constructor(code: JsonRpcTransportErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/**
 * A value of the wire, or the input of a caller, is not what the protocol allows. `code` names the rule that it breaks.
 */
export class SdkProtocolError extends Error {
  override readonly name: string = 'SdkProtocolError'
  readonly code: SdkProtocolErrorCode

  constructor(code: SdkProtocolErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** The rules of {@link SdkProtocolError}. */
export type SdkProtocolErrorCode =
  /** Prompt input that is empty, only whitespace, or not made of content blocks. */
  | 'bad-input'
  /** A command beside content that commands do not take. */
  | 'bad-command-input'
  /** Answers to a question batch that do not match it. */
  | 'bad-answer'

/** Thrown by a table of handlers for a method it does not hold: answered with -32601, as if no handler were there. */
export class MethodNotFoundError extends Error {
  override readonly name: string = 'MethodNotFoundError'

  constructor(method: string) {
    super(methodNotFoundMessage(method))
  }
}

export function methodNotFoundMessage(method: string): string {
  return `method not found: ${method}`
}

/** The text of whatever was thrown, also when it is not an `Error`. Never throws itself. */
export function textOfThrown(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message
  try {
    return String(thrown)
  } catch {
    // An object without a usable toString, such as Object.create(null).
    return 'a value that cannot be shown was thrown'
  }
}
