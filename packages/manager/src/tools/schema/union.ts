import { describe, phrase } from './notes.ts'
import { put, type Scalar, type SubsetSchema, type SubsetType } from './subset.ts'

/**
 * What is put together: variants of one value, each of which declares all that it takes, as those of a tagged union do; or
 * the positions of a tuple, of which each takes undeclared properties too.
 */
type Parts = 'variants' | 'positions'

type Kind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

const kindOf = (type: SubsetType): Kind => (type === 'integer' ? 'number' : type)

const valuesOf = (schema: SubsetSchema): readonly Scalar[] | undefined =>
  schema.const === undefined ? schema.enum : [schema.const]

/** The allowed values of the properties an object must have: what tells tagged variants apart. */
function requiredValues(schema: SubsetSchema): Map<string, readonly Scalar[]> {
  const values = new Map<string, readonly Scalar[]>()
  for (const name of schema.required ?? []) {
    const allowed = valuesOf(schema.properties?.[name] ?? {})
    if (allowed !== undefined) values.set(name, allowed)
  }
  return values
}

/** Whether no object can satisfy both: a required property with different fixed values, or one that the other forbids. */
function areDisjointObjects(left: SubsetSchema, right: SubsetSchema): boolean {
  const other = requiredValues(right)
  for (const [name, values] of requiredValues(left)) {
    const theirs = other.get(name)
    if (theirs !== undefined && values.every((value) => !theirs.includes(value))) return true
  }
  const forbids = (closed: SubsetSchema, open: SubsetSchema): boolean =>
    closed.additionalProperties === false &&
    (open.required ?? []).some((name) => !Object.hasOwn(closed.properties ?? {}, name))
  return forbids(left, right) || forbids(right, left)
}

/** More variants of one object are merged without comparing each pair. */
const maxVariants = 64

const areAllDisjoint = (schemas: readonly SubsetSchema[]): boolean =>
  schemas.length <= maxVariants &&
  schemas.every((left, index) => schemas.slice(index + 1).every((right) => areDisjointObjects(left, right)))

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)]

/** "one of: …" when the alternatives differ in more than the merged schema can show. */
function alternatives(schemas: readonly SubsetSchema[]): string[] {
  const said = distinct(schemas.map(phrase))
  return said.length < 2 ? [] : [`one of: ${said.join(' | ')}`]
}

function mergeScalars(schemas: readonly SubsetSchema[]): SubsetSchema {
  const integers = schemas.every((schema) => schema.type === 'integer')
  const merged: SubsetSchema = { type: schemas[0]!.type === 'integer' && !integers ? 'number' : schemas[0]!.type }
  const lists = schemas.map(valuesOf)
  if (lists.every((list) => list !== undefined)) merged.enum = [...new Set(lists.flat())]
  const described = schemas.filter((schema) => schema.description !== undefined || schema.title !== undefined)
  const notes = merged.enum !== undefined && described.length === 0 ? [] : alternatives(schemas)
  const description = describe(undefined, notes)
  if (description !== undefined) merged.description = description
  return merged
}

function mergeArrays(schemas: readonly SubsetSchema[], parts: Parts): SubsetSchema {
  const merged: SubsetSchema = { type: 'array' }
  const items = schemas.map((schema) => schema.items)
  if (items.every((item) => item !== undefined)) merged.items = union(items, parts)
  const description = describe(undefined, alternatives(schemas))
  if (description !== undefined) merged.description = description
  return merged
}

/**
 * One object schema that every object of any alternative satisfies: all properties, only the names required by all. What
 * each alternative asks for stays readable in the description.
 */
export function mergeObjects(schemas: readonly SubsetSchema[], parts: Parts = 'variants'): SubsetSchema {
  const found = new Map<string, SubsetSchema[]>()
  for (const schema of schemas) {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const list = found.get(name)
      if (list === undefined) found.set(name, [property])
      else list.push(property)
    }
  }
  const merged: SubsetSchema = { type: 'object' }
  if (found.size > 0) merged.properties = {}
  for (const [name, properties] of found) {
    const takesAny = (schema: SubsetSchema): boolean =>
      !Object.hasOwn(schema.properties ?? {}, name) && schema.additionalProperties !== false
    const isFree = parts === 'positions' && schemas.some(takesAny)
    put(merged.properties!, name, union(isFree ? [...properties, {}] : properties, parts))
  }
  const required = (schemas[0]!.required ?? []).filter((name) => schemas.every((one) => one.required?.includes(name)))
  if (required.length > 0) merged.required = required
  if (schemas.every((schema) => schema.additionalProperties === false)) merged.additionalProperties = false
  const description = describe(undefined, alternatives(schemas))
  if (description !== undefined) merged.description = description
  return merged
}

function flatten(schemas: readonly SubsetSchema[]): SubsetSchema[] {
  return schemas.flatMap((schema) => {
    if (schema.oneOf === undefined) return [schema]
    const { description } = schema
    return schema.oneOf.map((branch) => (description === undefined ? branch : { description, ...branch }))
  })
}

/**
 * The alternatives of `anyOf`, `oneOf` or a list of types as one schema that accepts what any of them accepts. `oneOf`
 * demands exactly one match, so only alternatives that cannot overlap stay apart; the others are merged and told.
 */
export function union(schemas: readonly SubsetSchema[], parts: Parts = 'variants'): SubsetSchema {
  if (schemas.length === 1) return schemas[0]!
  const flat = [...new Map(flatten(schemas).map((schema) => [JSON.stringify(schema), schema])).values()]
  if (flat.length === 1) return flat[0]!
  if (flat.some((schema) => schema.type === undefined)) {
    const description = describe(undefined, alternatives(flat))
    return description === undefined ? {} : { description }
  }
  const groups = new Map<Kind, SubsetSchema[]>()
  for (const schema of flat) {
    const kind = kindOf(schema.type!)
    const group = groups.get(kind)
    if (group === undefined) groups.set(kind, [schema])
    else group.push(schema)
  }
  const branches: SubsetSchema[] = []
  for (const [kind, group] of groups) {
    if (group.length === 1) branches.push(group[0]!)
    else if (kind === 'object') branches.push(...(areAllDisjoint(group) ? group : [mergeObjects(group, parts)]))
    else branches.push(kind === 'array' ? mergeArrays(group, parts) : mergeScalars(group))
  }
  return branches.length === 1 ? branches[0]! : { oneOf: branches }
}
