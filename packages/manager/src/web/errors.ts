import { redact } from '../diagnostics/index.ts'
import type { ErrorReply } from './api-types.ts'

const maxMessage = 300

/** A refusal of the HTTP API: the status and one line for the caller. */
export class ApiError extends Error {
  readonly status: number
  /** The field of the request that is wrong. */
  readonly field: string | undefined
  constructor(status: number, message: string, field?: string) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.field = field
  }
}

const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** A JSON answer. Never cached, never sniffed. */
export const jsonResponse = (body: unknown, status = 200, more: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8', ...more },
  })

/** Unknown paths answer 404 without a body. */
export const emptyNotFound = (): Response => new Response(null, { status: 404, headers })

/** Statuses of the manager's own errors, by the `code` they carry. */
const statusOfCode: Readonly<Record<string, number>> = {
  invalid: 409,
  locked: 503,
  'reclaim-needed': 503,
  'unknown-server': 404,
  'name-taken': 409,
  'unusable-file': 409,
}

/** The answer to a failure. What is not foreseen is a 500 with a redacted line of at most 300 characters. */
export function errorResponse(error: unknown): Response {
  if (error instanceof ApiError) {
    const body: ErrorReply = { error: error.message, ...(error.field !== undefined && { field: error.field }) }
    return jsonResponse(body, error.status)
  }
  const message = redact(error instanceof Error ? error.message : String(error))
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  const status = typeof code === 'string' && Object.hasOwn(statusOfCode, code) ? statusOfCode[code]! : 500
  const body: ErrorReply = {
    error: message.length > maxMessage ? `${message.slice(0, maxMessage - 1)}…` : message,
    ...(error instanceof Error &&
      'chinese' in error &&
      typeof error.chinese === 'string' && { chinese: error.chinese }),
  }
  return jsonResponse(body, status)
}
