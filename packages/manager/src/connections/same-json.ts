/** Deeper than any schema is shown: what differs only below counts as changed. */
const comparedDepth = 300

/** Whether two values of plain JSON data are equal, whatever the order of their keys. */
export function isSameJson(left: unknown, right: unknown, depth = 0): boolean {
  if (left === right) return true
  if (depth > comparedDepth) return false
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right, key) &&
        isSameJson((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key], depth + 1),
    )
  )
}

/**
 * A list of named things read again: what did not change is the object it was, and a list that is the same in every place is
 * the very list it was. So whoever compares the two afterwards compares references.
 */
export function keepUnchanged<T extends { readonly name: string }>(
  before: readonly T[],
  after: readonly T[],
): readonly T[] {
  const known = new Map(before.map((one) => [one.name, one]))
  let isSame = before.length === after.length
  const kept = after.map((one, index) => {
    const old = before[index]?.name === one.name ? before[index] : known.get(one.name)
    const keep = old !== undefined && isSameJson(old, one) ? old : one
    isSame &&= keep === before[index]
    return keep
  })
  return isSame ? before : kept
}
