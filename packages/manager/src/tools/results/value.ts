import type { CallToolResult } from '../../connections/index.ts'
import { satisfies, type SubsetSchema } from '../schema/index.ts'
import { piecesOf } from './pieces.ts'
import { textOf } from './text.ts'

/** What a program (code mode, another plugin) gets from a call: everything the server sent, and its text. */
export interface ToolValue {
  readonly text: string
  readonly content: readonly unknown[]
  readonly isError: false
  readonly structuredContent?: unknown
}

/** The schema of {@link ToolValue}, with the server's own promise about `structuredContent` where it made one. */
export function valueSchema(structured: SubsetSchema | undefined): SubsetSchema {
  return {
    type: 'object',
    properties: {
      text: { type: 'string' },
      content: { type: 'array', items: {} },
      isError: { type: 'boolean', const: false },
      structuredContent: structured ?? {},
    },
    required: ['text', 'content', 'isError'],
    additionalProperties: false,
  }
}

/** Numbers JSON cannot carry back: `1e999` parses to infinity, `-0` is written as `0`. The host refuses both. */
const isLossy = (value: unknown): boolean =>
  typeof value === 'number' && (Object.is(value, -0) || !Number.isFinite(value))

function hasLossyNumber(root: unknown): boolean {
  const rest = [root]
  while (rest.length > 0) {
    const value = rest.pop()
    if (isLossy(value)) return true
    if (Array.isArray(value)) for (const item of value) rest.push(item)
    else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) rest.push(item)
  }
  return false
}

/** The same data with `-0` as `0` and infinities as null; the very object when there is nothing to change. */
function lossless<T>(value: T): T {
  if (!hasLossyNumber(value)) return value
  const copy: T = JSON.parse(JSON.stringify(value))
  return copy
}

/**
 * The value of a successful result. Structured content that breaks the server's own `outputSchema` is left out and told in
 * the text: the host would refuse the whole result for it.
 */
export function valueOf(result: CallToolResult, structured: SubsetSchema | undefined): ToolValue {
  const content = lossless(result.content)
  const said = textOf(piecesOf(content), 'see content')
  const given = result.structuredContent
  if (given === undefined || given === null) return { text: said, content, isError: false }
  const data = lossless(given)
  if (structured !== undefined && !satisfies(structured, data)) {
    const note = '[structuredContent left out: it does not match the outputSchema of the tool]'
    const blocks = [...content, { type: 'text', text: said === '' ? `${note}\n${JSON.stringify(data)}` : note }]
    return { text: textOf(piecesOf(blocks), 'see content'), content: blocks, isError: false }
  }
  return { text: said === '' ? JSON.stringify(data) : said, content, isError: false, structuredContent: data }
}
