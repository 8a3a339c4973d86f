import { DEFAULT_WEIGHTS } from './weights.ts'
import type { FieldName, SearchWeights } from './weights.ts'
import { tokens } from './words.ts'

/** What the search knows of one tool. */
export interface SearchableTool {
  /** Public name, unique in an index: `mcp__<server>__<tool>`. */
  readonly name: string
  readonly server: string
  readonly serverTitle?: string | undefined
  /** The server's own name of the tool. */
  readonly tool: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema?: unknown
}

const SCHEMA_DEPTH = 4

interface SchemaNode {
  readonly description?: unknown
  readonly properties?: unknown
  readonly items?: unknown
  readonly anyOf?: unknown
  readonly oneOf?: unknown
  readonly allOf?: unknown
}

function collectParameters(schema: unknown, names: string[], descriptions: string[], depth: number): void {
  if (depth > SCHEMA_DEPTH || typeof schema !== 'object' || schema === null) return
  if (Array.isArray(schema)) {
    for (const branch of schema) collectParameters(branch, names, descriptions, depth + 1)
    return
  }
  const { description, properties, items, anyOf, oneOf, allOf }: SchemaNode = schema
  if (depth > 0 && typeof description === 'string') descriptions.push(description)
  if (typeof properties === 'object' && properties !== null) {
    for (const name of Object.keys(properties)) {
      names.push(name)
      collectParameters((properties as Record<string, unknown>)[name], names, descriptions, depth + 1)
    }
  }
  for (const nested of [items, anyOf, oneOf, allOf]) collectParameters(nested, names, descriptions, depth + 1)
}

/** First sentence or line of a description, and what follows it. */
function splitLead(description: string): readonly [lead: string, rest: string] {
  const text = description.trim()
  const end = /[.!?](?=\s)|[。！？\n]/.exec(text)
  return end === null ? [text, ''] : [text.slice(0, end.index + 1), text.slice(end.index + 1)]
}

function fieldTexts(tool: SearchableTool): Readonly<Record<FieldName, string>> {
  const names: string[] = []
  const descriptions: string[] = []
  collectParameters(tool.inputSchema, names, descriptions, 0)
  const [lead, description] = splitLead(tool.description ?? '')
  return {
    name: tool.tool,
    title: tool.title ?? '',
    server: `${tool.server} ${tool.serverTitle ?? ''}`,
    lead,
    description,
    parameterName: names.join(' '),
    parameterDescription: descriptions.join('\n'),
  }
}

/** A piece of a compound, and a pair of characters, count less than a word that stands by itself. */
const PART = 0.8
const PAIR = 0.5

/**
 * Tells each term of a tool with what one occurrence of it is worth: the weight of its field, damped by the length of the
 * field (BM25F: Robertson, Zaragoza and Taylor 2004). The length is measured against a fixed typical one, so that a tool
 * weighs the same whatever else is indexed.
 */
export function eachTerm(
  tool: SearchableTool,
  visit: (term: string, weight: number) => void,
  { fields }: SearchWeights = DEFAULT_WEIGHTS,
): void {
  for (const [field, text] of Object.entries(fieldTexts(tool)) as [FieldName, string][]) {
    const found = tokens(text)
    let length = 0
    for (const token of found) length += token.kind === 'word' ? Math.max(1, token.parts.length) : token.terms.length
    if (length === 0) continue
    const { weight, typicalLength, lengthShare } = fields[field]
    const one = weight / (1 - lengthShare + (lengthShare * length) / typicalLength)
    for (const token of found) {
      if (token.kind === 'word') {
        visit(token.term, one)
        for (const part of token.parts) visit(part, one * PART)
      } else {
        for (const term of token.terms) visit(term, one)
        for (const pair of token.pairs) if (!token.terms.includes(pair)) visit(pair, one * PAIR)
      }
    }
  }
}
