import { parseJson } from '../config/index.ts'
import { ApiError } from './errors.ts'

/** The largest request body, in bytes. */
export const maxBody = 256 * 1024

async function readBytes(request: Request): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  const tooLarge = new ApiError(413, `the body is larger than ${maxBody / 1024} KiB`)
  if (declared > maxBody) throw tooLarge
  const chunks: Uint8Array[] = []
  let size = 0
  if (request.body !== null) {
    for await (const chunk of request.body) {
      size += chunk.byteLength
      if (size > maxBody) throw tooLarge
      chunks.push(chunk)
    }
  }
  return Buffer.concat(chunks)
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new SyntaxError('it is not UTF-8', { cause: error })
  }
}

/**
 * The JSON object in a request's body; `{}` when there is none. A body must say that it is JSON: a form or a plain text is
 * what a foreign page could send without asking.
 * @throws {ApiError} 413, 415 or 400.
 */
export async function readJson(request: Request): Promise<Record<string, unknown>> {
  const type = request.headers.get('content-type')
  const isJson = type !== null && /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i.test(type.trim())
  if (type !== null && !isJson) throw new ApiError(415, 'send the body as content-type: application/json')
  const bytes = await readBytes(request)
  if (bytes.byteLength === 0) return {}
  if (!isJson) throw new ApiError(415, 'send the body as content-type: application/json')
  let value: unknown
  try {
    value = parseJson(textOf(bytes))
  } catch (error) {
    throw new ApiError(400, `the body cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError(400, 'the body must be a JSON object')
  }
  return value as Record<string, unknown>
}
