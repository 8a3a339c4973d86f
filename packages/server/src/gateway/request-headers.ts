import { isJsonObject } from './json.ts'
import type { JsonObject, JsonValue } from './json.ts'

/** The headers of the HTTP request that carried a message; names in lower case. */
export interface RequestHeaders {
  get(name: string): string | undefined
}

const sentinel = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a mirrored header value (MCP 2026-07-28, Streamable HTTP, Value encoding): plain visible ASCII with inner spaces, or
 * base64 of UTF-8 between markers. `undefined` when it is neither.
 */
export function decodeHeaderValue(value: string): string | undefined {
  const encoded = sentinel.exec(value)
  if (encoded === null) return /^[\t\x20-\x7e]*$/.test(value) ? value : undefined
  const text = encoded[1]!
  if (text.length % 4 !== 0) return undefined
  try {
    return utf8.decode(Buffer.from(text, 'base64'))
  } catch {
    // Not UTF-8: no value a JSON body could hold.
    return undefined
  }
}

/**
 * Compares the standard headers of a request with its body (MCP 2026-07-28, Streamable HTTP, Server validation). Returns
 * what is wrong, or undefined. `name` is the value `Mcp-Name` mirrors, for methods that have one.
 */
export function standardHeaderFault(headers: RequestHeaders, method: string, name?: JsonValue): string | undefined {
  const announcedMethod = headers.get('mcp-method')
  if (announcedMethod === undefined) return 'The Mcp-Method header is missing'
  if (announcedMethod !== method) return 'The Mcp-Method header differs from the method in the body'
  if (typeof name !== 'string') return undefined
  const announcedName = headers.get('mcp-name')
  if (announcedName === undefined) return 'The Mcp-Name header is missing'
  return decodeHeaderValue(announcedName) === name
    ? undefined
    : 'The Mcp-Name header differs from the value in the body'
}

/** A tool parameter that clients mirror into a header: the path of `properties` keys to it and the header name. */
export interface MirroredParameter {
  readonly path: readonly string[]
  readonly header: string
}

/** Finds the parameters of an `inputSchema` annotated `x-mcp-header`, following `properties` only. */
export function mirroredParameters(inputSchema: JsonObject): readonly MirroredParameter[] {
  const found: MirroredParameter[] = []
  const visit = (schema: JsonObject, path: readonly string[]): void => {
    if (!isJsonObject(schema.properties)) return
    for (const [key, property] of Object.entries(schema.properties)) {
      if (!isJsonObject(property)) continue
      const below = [...path, key]
      const header = property['x-mcp-header']
      if (typeof header === 'string') found.push({ path: below, header: `mcp-param-${header.toLowerCase()}` })
      visit(property, below)
    }
  }
  visit(inputSchema, [])
  return found
}

/** Compares the `Mcp-Param-*` headers with the arguments of a call. Returns what is wrong, or undefined. */
export function mirroredParameterFault(
  headers: RequestHeaders,
  parameters: readonly MirroredParameter[],
  args: JsonObject,
): string | undefined {
  for (const { path, header } of parameters) {
    const expected = valueAt(args, path)
    const announced = headers.get(header)
    if (expected === undefined || expected === null) {
      if (announced !== undefined) return `The ${header} header has no counterpart in the arguments`
      continue
    }
    if (announced === undefined) return `The ${header} header is missing`
    const value = decodeHeaderValue(announced)
    if (value === undefined) return `The ${header} header holds characters that need base64 encoding`
    const equal = typeof expected === 'number' ? sameNumber(value, expected) : value === textOf(expected)
    if (!equal) return `The ${header} header differs from the argument ${path.join('.')}`
  }
  return undefined
}

function valueAt(args: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = args
  for (const key of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value
}

function sameNumber(text: string, expected: number): boolean {
  return /^[-+.\deE]+$/.test(text) && Number(text) === expected
}

/** Only strings, integers and booleans can be mirrored; anything else matches no header. */
function textOf(value: JsonValue): string | undefined {
  return typeof value === 'object' ? undefined : String(value)
}
