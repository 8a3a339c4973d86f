import { combineAlternatives, mergeSchemas } from './merge.ts'
import { clip, constraintNotes, describe, isPlainValueList, phrase, valueNote } from './notes.ts'
import { referenceResolver } from './references.ts'
import {
  hasType,
  isRecord,
  isScalar,
  put,
  type Json,
  type ObjectSchema,
  type RawNode,
  type Scalar,
  type SubsetSchema,
  type SubsetType,
} from './subset.ts'
import { mergeObjects, union } from './union.ts'

/** Schemas nested deeper than this, and more nodes than this, are cut to "any value" and told. */
const maxDepth = 256
const maxNodes = 20_000
const maxAnnotationLength = 2048
const maxTitle = 200

interface Walk {
  readonly resolve: (reference: string) => unknown
  /** Nodes being expanded, outermost first: an entry seen again is a cycle. */
  readonly open: unknown[]
  depth: number
  nodes: number
}

const types: ReadonlySet<unknown> = new Set<SubsetType>([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
])
const isType = (value: unknown): value is SubsetType => types.has(value)

const objectKeywords = ['properties', 'required', 'additionalProperties', 'patternProperties'] as const
const arrayKeywords = ['items', 'prefixItems'] as const

/** The types a node allows, `undefined` when it says nothing about its type. */
function typesOf(node: RawNode): readonly SubsetType[] | undefined {
  const declared = node['type']
  if (isType(declared)) return node['nullable'] === true && declared !== 'null' ? [declared, 'null'] : [declared]
  if (Array.isArray(declared)) {
    const known = [...new Set(declared.filter(isType))]
    const distinct = known.includes('number') ? known.filter((type) => type !== 'integer') : known
    if (distinct.length > 0) {
      return node['nullable'] === true && !distinct.includes('null') ? [...distinct, 'null'] : distinct
    }
  }
  if (objectKeywords.some((key) => key in node)) return ['object']
  if (arrayKeywords.some((key) => key in node)) return ['array']
  return undefined
}

const typeOfScalar = (value: Scalar): SubsetType => {
  if (value === null) return 'null'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value === 'string' ? 'string' : 'boolean'
}

const lossless = (value: Scalar): Scalar => (Object.is(value, -0) ? 0 : value)

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

function annotate(schema: SubsetSchema, node: RawNode, notes: readonly string[]): SubsetSchema {
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

const told = (note: string): SubsetSchema => ({ description: `(${note})` })

/** Projects one sub-schema; what the subset cannot say becomes words, never a stricter rule. */
function project(raw: unknown, walk: Walk): SubsetSchema {
  if (raw === true) return {}
  if (raw === false) return told('no value is valid here')
  if (!isRecord(raw)) return {}
  if (walk.depth >= maxDepth) return told('nested deeper than can be shown')
  if (walk.nodes >= maxNodes) return told('too large to show')
  walk.depth++
  walk.nodes++
  try {
    const notes: string[] = []
    if (!('allOf' in raw || '$ref' in raw || '$dynamicRef' in raw)) return projectExpanded(raw, walk, notes)
    const outer = walk.open.length
    const targets: unknown[] = []
    const node = expand(raw, walk, notes, [], targets)
    walk.open.push(...targets)
    const schema = projectExpanded(node, walk, notes)
    walk.open.length = outer
    return schema
  } finally {
    walk.depth--
  }
}

/**
 * Replaces references and `allOf` by the keywords they stand for, and lists the reference targets it went through. A
 * reference to a node that is being expanded is a cycle: cut, and told.
 */
function expand(raw: RawNode, walk: Walk, notes: string[], chain: readonly unknown[], targets: unknown[]): RawNode {
  if (chain.length > maxDepth || walk.nodes > maxNodes) return {}
  walk.nodes++
  let node = raw
  for (const keyword of ['$ref', '$dynamicRef']) {
    const reference = raw[keyword]
    if (typeof reference !== 'string') continue
    const { [keyword]: _, ...rest } = node
    const target = walk.resolve(reference)
    if (!isRecord(target)) {
      if (target !== true) notes.push(`see ${clip(reference, 200)}`)
      node = rest
    } else if (walk.open.includes(target) || chain.includes(target)) {
      notes.push(`recursive, same as ${clip(reference, 100)}`)
      node = isType(target['type']) && rest['type'] === undefined ? { ...rest, type: target['type'] } : rest
    } else {
      targets.push(target)
      node = mergeSchemas(expand(target, walk, notes, [...chain, target], targets), rest)
    }
  }
  const parts = node['allOf']
  if (!Array.isArray(parts)) return node
  const { allOf: _, ...rest } = node
  return parts
    .filter(isRecord)
    .reduce<RawNode>((whole, part) => mergeSchemas(whole, expand(part, walk, notes, [...chain, part], targets)), rest)
}

function projectExpanded(node: RawNode, walk: Walk, notes: string[]): SubsetSchema {
  const branches = alternativesOf(node)
  if (branches !== undefined) return projectAlternatives(node, branches, walk, notes)
  constraintNotes(node, notes)
  const allowed = typesOf(node)
  if (allowed === undefined && typeof node['type'] === 'string' && node['type'] !== 'any')
    notes.push(`type ${node['type']}`)
  const values = 'const' in node ? [node['const']] : node['enum']
  if (Array.isArray(values) && values.length > 0) {
    const schema = projectValues(values, allowed, notes)
    if (schema !== undefined) return annotate(schema, node, notes)
  }
  if (allowed === undefined) return annotate({}, node, notes)
  if (allowed.length === 1) return annotate(projectType(allowed[0]!, node, walk, notes), node, notes)
  return annotate(union(allowed.map((type) => projectType(type, node, walk, notes))), node, notes)
}

function alternativesOf(node: RawNode): readonly unknown[] | undefined {
  const any = Array.isArray(node['anyOf']) && node['anyOf'].length > 0 ? node['anyOf'] : undefined
  const one = Array.isArray(node['oneOf']) && node['oneOf'].length > 0 ? node['oneOf'] : undefined
  if (any !== undefined && one !== undefined) return combineAlternatives(any, one)
  return any ?? one
}

/** Keywords of a node that each of its alternatives must satisfy too. */
const shared = new Set([
  'title',
  'description',
  'default',
  'examples',
  'anyOf',
  'oneOf',
  '$schema',
  '$defs',
  'definitions',
])

function projectAlternatives(node: RawNode, branches: readonly unknown[], walk: Walk, notes: string[]): SubsetSchema {
  const base = Object.fromEntries(Object.entries(node).filter(([key]) => !shared.has(key)))
  const isBare = Object.keys(base).length === 0
  const projected = branches
    .filter((branch) => branch !== false)
    .map((branch) => project(isBare || !isRecord(branch) ? branch : { allOf: [base, branch] }, walk))
  if (projected.length === 0) return annotate({}, node, notes)
  return annotate({ ...union(projected) }, node, notes)
}

/** `enum` and `const`, by type. `undefined` when the values say nothing the subset can hold beside the node's type. */
function projectValues(
  values: readonly unknown[],
  allowed: readonly SubsetType[] | undefined,
  notes: string[],
): SubsetSchema | undefined {
  const fits = allowed === undefined ? values : values.filter((value) => allowed.some((type) => hasType(type, value)))
  if (fits.length === 0 || !isPlainValueList(fits)) {
    notes.push(valueNote(values))
    return undefined
  }
  const groups = new Map<SubsetType, Scalar[]>()
  for (const value of fits.filter(isScalar)) {
    const natural = typeOfScalar(value)
    const type = natural === 'integer' && allowed?.includes('number') === true ? 'number' : natural
    const group = groups.get(type) ?? []
    if (!group.includes(value)) group.push(lossless(value))
    groups.set(type, group)
  }
  return union([...groups].map(([type, list]) => (type === 'null' ? { type } : { type, enum: list })))
}

function projectType(type: SubsetType, node: RawNode, walk: Walk, notes: string[]): SubsetSchema {
  if (type === 'object') return projectObject(node, walk, notes)
  return type === 'array' ? projectArray(node, walk, notes) : { type }
}

function projectObject(node: RawNode, walk: Walk, notes: string[]): SubsetSchema {
  const schema: SubsetSchema = { type: 'object' }
  const declared = node['properties']
  let properties: Record<string, SubsetSchema> | undefined
  if (isRecord(declared)) {
    properties = {}
    for (const name in declared) {
      const property = declared[name]
      if (isRecord(property) || property === true) put(properties, name, project(property, walk))
      else if (property === false) notes.push(`${name} is not allowed`)
      else misplaced(name, property, properties, notes)
    }
  }
  const required = node['required']
  if (Array.isArray(required) && required.length > 0) {
    properties ??= {}
    const names: string[] = []
    for (const name of required) {
      if (typeof name !== 'string' || names.includes(name)) continue
      // the subset requires declared names only: an undeclared one is declared as any value, so that it stays required
      if (!Object.hasOwn(properties, name)) put(properties, name, {})
      names.push(name)
    }
    if (names.length > 0) schema.required = names
  }
  if (properties !== undefined) schema.properties = properties
  const rest = node['additionalProperties']
  if (typeof rest === 'boolean') schema.additionalProperties = rest
  else if (node['unevaluatedProperties'] === false && rest === undefined) schema.additionalProperties = false
  else if (isRecord(rest)) {
    schema.additionalProperties = true
    const value = project(rest, walk)
    if (Object.keys(value).length > 0) notes.push(`other keys: ${phrase(value)}`)
  }
  projectPatterns(node, schema, walk, notes)
  return schema
}

/** A property whose schema is no schema: a `required` list put one level too deep is told, anything else is any value. */
function misplaced(name: string, value: unknown, properties: Record<string, SubsetSchema>, notes: string[]): void {
  if (name === 'required' && Array.isArray(value) && value.every((entry) => typeof entry === 'string')) {
    notes.push(`required: ${value.join(', ')}`)
  } else if (typeof value === 'string' && isType(value)) put(properties, name, { type: value })
  else put(properties, name, {})
}

function projectPatterns(node: RawNode, schema: SubsetSchema, walk: Walk, notes: string[]): void {
  const patterns = node['patternProperties']
  if (!isRecord(patterns)) return
  for (const [pattern, value] of Object.entries(patterns)) {
    notes.push(`keys matching ${clip(pattern, 100)}: ${phrase(project(value, walk))}`)
  }
  if (schema.additionalProperties === false && Object.keys(patterns).length > 0) schema.additionalProperties = true
}

function projectArray(node: RawNode, walk: Walk, notes: string[]): SubsetSchema {
  const schema: SubsetSchema = { type: 'array' }
  const listed = Array.isArray(node['prefixItems']) ? node['prefixItems'] : node['items']
  if (!Array.isArray(listed)) {
    if (isRecord(listed)) schema.items = project(listed, walk)
    return schema
  }
  const positions = listed.map((item) => project(item, walk))
  const rest = Array.isArray(node['prefixItems']) ? node['items'] : node['additionalItems']
  if (positions.length > 0) notes.push(`in order: ${positions.map(phrase).join(', ')}`)
  if (rest === false) schema.items = union(positions)
  else if (isRecord(rest)) schema.items = union([...positions, project(rest, walk)])
  return schema
}

const startWalk = (root: RawNode): Walk => ({ resolve: referenceResolver(root), open: [root], depth: 0, nodes: 0 })

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
