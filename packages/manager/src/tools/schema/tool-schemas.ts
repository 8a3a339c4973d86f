import { startWalk } from './expand.ts'
import { describe, phrase } from './notes.ts'
import { project } from './project.ts'

import { isRecord, type ObjectSchema, type SubsetSchema } from './subset.ts'
import { mergeObjects } from './union.ts'

export type Projection =
  | { readonly ok: true; readonly schema: ObjectSchema }
  | { readonly ok: false; readonly reason: string }

/**
 * Projects a tool's `inputSchema` (MCP 2025-11-25, Server / Tools) to the harness's subset. Every value the original
 * accepts is accepted by the projection, required names stay exactly as declared, and what the subset cannot express is
 * told in descriptions. Fails only for a value that is no schema for a set of arguments.
 *
 * Limits: 256 levels, 20 000 nodes (reference expansion included); beyond them a part is shown as "any value".
 */
export function projectInputSchema(raw: unknown): Projection {
  if (raw === true) return { ok: true, schema: { type: 'object' } }
  if (raw === false) return { ok: false, reason: 'inputSchema is false: no arguments can be valid' }
  if (raw === undefined || raw === null) return { ok: false, reason: 'inputSchema is missing' }
  if (!isRecord(raw)) {
    return { ok: false, reason: `inputSchema must be an object, got ${Array.isArray(raw) ? 'array' : typeof raw}` }
  }
  return { ok: true, schema: objectRoot(project(raw, startWalk(raw))) }
}

/** Arguments are always an object, so the root is one: alternatives merge, any other root becomes an open object. */
function objectRoot(schema: SubsetSchema): ObjectSchema {
  if (schema.type === 'object') return { ...schema, type: 'object' }
  const objects = (schema.oneOf ?? []).filter((branch) => branch.type === 'object')
  if (objects.length > 0) {
    const { oneOf: _, ...annotations } = schema
    const merged = objects.length === 1 ? objects[0]! : mergeObjects(objects)
    return { ...merged, ...annotations, ...joined(annotations, merged), type: 'object' }
  }
  const root: ObjectSchema = { type: 'object' }
  const notes = schema.type === undefined ? [] : [`the server declares ${phrase(schema)} instead of named arguments`]
  const description = describe(schema.description, notes)
  if (description !== undefined) root.description = description
  return root
}

function joined(outer: SubsetSchema, inner: SubsetSchema): Pick<SubsetSchema, 'description'> {
  const description = [outer.description, inner.description].filter((text) => text !== undefined).join(' ')
  return description === '' ? {} : { description }
}

/** Projects an `outputSchema`; `undefined` when there is none to project. */
export function projectOutputSchema(raw: unknown): SubsetSchema | undefined {
  return isRecord(raw) ? project(raw, startWalk(raw)) : undefined
}
