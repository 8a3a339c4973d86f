import { clip, describe } from './notes.ts'
import { isScalar, lossless, type Json, type RawNode, type SubsetSchema } from './subset.ts'

const maxAnnotationLength = 2048
const maxTitle = 200

/** A copy of annotation data, or `undefined` when it is not small plain JSON. */
function annotation(value: unknown): Json | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return undefined
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch {
    return undefined // a cycle or a BigInt: not JSON
  }
  if (text === undefined || text.length > maxAnnotationLength) return undefined
  const copy: Json = JSON.parse(text, (_key, entry: Json) => (isScalar(entry) ? lossless(entry) : entry))
  return copy
}

/** Puts title, description, default and examples on a projected schema; the notes go into the description. */
export function annotate(schema: SubsetSchema, node: RawNode, notes: readonly string[]): SubsetSchema {
  if (typeof node['title'] === 'string' && node['title'] !== '') schema.title = clip(node['title'], maxTitle)
  const own = describe(node['description'], notes)
  if (own !== undefined) {
    schema.description = schema.description === undefined ? own : `${own} ${schema.description}`
  }
  if (node['default'] !== undefined) {
    const value = annotation(node['default'])
    if (value !== undefined) schema.default = value
  }
  if (Array.isArray(node['examples'])) {
    const value = annotation(node['examples'])
    if (value !== undefined) schema.examples = value
  }
  return schema
}
