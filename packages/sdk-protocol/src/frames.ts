import { INTERNAL_ERROR } from './errors.ts'
import { encodeWithLargeStrings, holdsLargeString } from './large-strings.ts'

/** Ids that count as ids on this wire. Any other `id` (null, a boolean, an object) is as good as none. */
export type FrameId = string | number

export type Params = Record<string, unknown>

/** What a parsed line is. */
export type Frame =
  | { readonly kind: 'request'; readonly id: FrameId; readonly method: string; readonly params: Params }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params }
  | { readonly kind: 'response'; readonly id: FrameId; readonly error: unknown; readonly result: unknown }
  | { readonly kind: 'none' }

const NONE: Frame = { kind: 'none' }

/**
 * Sorts a parsed line by its members: `id` and `method` make a request, `id` alone a response, `method` alone a
 * notification. The `jsonrpc` member is not looked at. An `id` that is neither string nor number does not count, so
 * `{"id":null,"method":"x"}` is a notification. Batches, scalars and objects with neither member are nothing.
 */
export function classify(value: unknown): Frame {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return NONE
  const { id, method, params, error, result } = value as Record<string, unknown>
  const identified = typeof id === 'string' || typeof id === 'number'
  if (typeof method === 'string') {
    if (identified) return { kind: 'request', id, method, params: paramsOf(params) }
    return { kind: 'notification', method, params: paramsOf(params) }
  }
  return identified ? { kind: 'response', id, error, result } : NONE
}

/** Params are an object for every handler: an array, a scalar, null or nothing becomes an empty one. */
function paramsOf(params: unknown): Params {
  return typeof params === 'object' && params !== null && !Array.isArray(params) ? (params as Params) : {}
}

/** A frame with its newline, ready to be written. */
export type Line = string | Uint8Array

/** @throws TypeError when the params cannot be serialised (a cycle, a BigInt) */
export function requestLine(id: string, method: string, params: unknown): Line {
  const head = `{"jsonrpc":"2.0","id":"${id}","method":${JSON.stringify(method)}`
  return line(`${head},"params":`, params) ?? `${head}}\n`
}

/** @throws TypeError when the params cannot be serialised (a cycle, a BigInt) */
export function notificationLine(method: string, params: unknown): Line {
  const head = `{"jsonrpc":"2.0","method":${JSON.stringify(method)}`
  return line(`${head},"params":`, params) ?? `${head}}\n`
}

/** @throws TypeError when the result cannot be serialised (a cycle, a BigInt) */
export function resultLine(id: FrameId, result: unknown): Line {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`
  return line(head, result) ?? `${head}null}\n`
}

/** An error answer; `data` is left out when it is undefined or cannot be serialised. */
export function errorLine(id: FrameId, code: number, message: string, data?: unknown): string {
  const error = `"code":${Number.isFinite(code) ? code : INTERNAL_ERROR},"message":${JSON.stringify(message)}`
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{${error}${dataMember(data)}}}\n`
}

/** JSON, or `undefined` for what JSON cannot express (`undefined`, functions, symbols), which its declared type hides. */
function serialise(value: unknown): string | undefined {
  return JSON.stringify(value)
}

/** The frame that ends with this body; `undefined` for a body that JSON cannot express. */
function line(head: string, body: unknown): Line | undefined {
  if (holdsLargeString(body)) {
    const bytes = encodeWithLargeStrings(head, body, '}\n')
    if (bytes !== undefined) return bytes
  }
  const text = serialise(body)
  return text === undefined ? undefined : `${head}${text}}\n`
}

function dataMember(data: unknown): string {
  try {
    const text = serialise(data)
    return text === undefined ? '' : `,"data":${text}`
  } catch {
    // The answer with its code and message matters more than its data.
    return ''
  }
}
