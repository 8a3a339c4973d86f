import { annotate } from './annotations.ts'
import { isType, typesOf } from './declared-types.ts'
import { expand, maxDepth, maxNodes, type Walk } from './expand.ts'
import { combineAlternatives } from './merge.ts'
import { clip, constraintNotes, phrase } from './notes.ts'
import { isRecord, put, type RawNode, type SubsetSchema, type SubsetType } from './subset.ts'
import { union } from './union.ts'
import { projectValues } from './values.ts'

const told = (note: string): SubsetSchema => ({ description: `(${note})` })

/** Projects one sub-schema; what the subset cannot say becomes words, never a stricter rule. */
export function project(raw: unknown, walk: Walk): SubsetSchema {
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
  if (rest === false) schema.items = union(positions, 'positions')
  else if (isRecord(rest)) schema.items = union([...positions, project(rest, walk)], 'positions')
  return schema
}
