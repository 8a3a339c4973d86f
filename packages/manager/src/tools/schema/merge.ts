import { isRecord, type RawNode } from './subset.ts'

const asTypes = (value: unknown): string[] | undefined => {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((type) => typeof type === 'string') : undefined
}

function mergeTypes(left: unknown, right: unknown): unknown {
  const a = asTypes(left)
  const b = asTypes(right)
  if (a === undefined || b === undefined) return a ?? b
  const both = new Set<string>()
  for (const type of a) {
    if (b.includes(type)) both.add(type)
    else if (type === 'integer' && b.includes('number')) both.add('integer')
    else if (type === 'number' && b.includes('integer')) both.add('integer')
  }
  // contradictory types: the narrower statement wins over a schema that nothing satisfies
  return both.size === 0 ? right : [...both]
}

function mergeProperties(left: RawNode, right: RawNode): RawNode {
  const names = new Map<string, unknown>(Object.entries(left))
  for (const [name, schema] of Object.entries(right)) {
    names.set(name, names.has(name) ? { allOf: [names.get(name), schema] } : schema)
  }
  return Object.fromEntries(names)
}

const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []

/** `additionalProperties: false` looks only at its own schema's properties, so it holds for the merge only if it names all. */
function mergeAdditional(left: RawNode, right: RawNode): unknown {
  const covers = (node: RawNode, other: RawNode): boolean => {
    const own = isRecord(node['properties']) ? node['properties'] : {}
    const names = isRecord(other['properties']) ? Object.keys(other['properties']) : []
    return names.every((name) => Object.hasOwn(own, name))
  }
  if (left['additionalProperties'] === false && covers(left, right)) return false
  if (right['additionalProperties'] === false && covers(right, left)) return false
  const open = [left['additionalProperties'], right['additionalProperties']].filter((value) => value !== false)
  return open.find(isRecord)
}

const tighter: Readonly<Record<string, (a: number, b: number) => number>> = {
  minimum: Math.max,
  exclusiveMinimum: Math.max,
  minLength: Math.max,
  minItems: Math.max,
  minProperties: Math.max,
  maximum: Math.min,
  exclusiveMaximum: Math.min,
  maxLength: Math.min,
  maxItems: Math.min,
  maxProperties: Math.min,
}

/** More combinations than this are not worked out: the second list stands alone. */
const maxCombinations = 64

/** Every pair of two lists of alternatives, as alternatives. */
export function combineAlternatives(left: readonly unknown[], right: readonly unknown[]): readonly unknown[] {
  if (left.length * right.length > maxCombinations) return right
  return left.flatMap((a) => right.map((b) => ({ allOf: [a, b] })))
}

function mergeKeyword(key: string, left: unknown, right: unknown): unknown {
  if (key === 'type') return mergeTypes(left, right)
  if (key === 'properties' && isRecord(left) && isRecord(right)) return mergeProperties(left, right)
  if (key === 'required') return [...new Set([...stringsOf(left), ...stringsOf(right)])]
  if (key === 'items' && isRecord(left) && isRecord(right)) return { allOf: [left, right] }
  if (key === 'enum' && Array.isArray(left) && Array.isArray(right)) {
    const both = left.filter((value) => right.includes(value))
    return both.length > 0 ? both : right
  }
  if ((key === 'anyOf' || key === 'oneOf') && Array.isArray(left) && Array.isArray(right)) {
    return combineAlternatives(left, right)
  }
  if (key === 'description' && typeof left === 'string' && typeof right === 'string') {
    return left.includes(right) ? left : `${left} ${right}`
  }
  if (typeof left === 'number' && typeof right === 'number' && Object.hasOwn(tighter, key)) {
    return tighter[key]!(left, right)
  }
  return right
}

/**
 * One schema that says what both say (`allOf`), as far as keywords can be combined; where they cannot, `right` stands. No
 * required name is lost.
 */
export function mergeSchemas(left: RawNode, right: RawNode): RawNode {
  const merged: Record<string, unknown> = { ...left }
  for (const [key, value] of Object.entries(right)) {
    if (key === 'additionalProperties' || value === undefined) continue
    merged[key] = merged[key] === undefined ? value : mergeKeyword(key, merged[key], value)
  }
  const additional = mergeAdditional(left, right)
  if (additional === undefined) delete merged['additionalProperties']
  else merged['additionalProperties'] = additional
  return merged
}
