import type { RawNode, Scalar, SubsetType } from './subset.ts'

const types: ReadonlySet<unknown> = new Set<SubsetType>([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
])
export const isType = (value: unknown): value is SubsetType => types.has(value)

const objectKeywords = ['properties', 'required', 'additionalProperties', 'patternProperties'] as const
const arrayKeywords = ['items', 'prefixItems'] as const

/** The types a node allows, `undefined` when it says nothing about its type. */
export function typesOf(node: RawNode): readonly SubsetType[] | undefined {
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

export const typeOfScalar = (value: Scalar): SubsetType => {
  if (value === null) return 'null'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value === 'string' ? 'string' : 'boolean'
}
