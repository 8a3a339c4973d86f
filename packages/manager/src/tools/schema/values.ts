import { typeOfScalar } from './declared-types.ts'
import { isPlainValueList, valueNote } from './notes.ts'
import { hasType, isScalar, lossless, type Scalar, type SubsetSchema, type SubsetType } from './subset.ts'
import { union } from './union.ts'

/** `enum` and `const`, by type. `undefined` when the values say nothing the subset can hold beside the node's type. */
export function projectValues(
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
