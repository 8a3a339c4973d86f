/**
 * The new value, made of old parts wherever they say the same, so that what did not change keeps its identity and is not
 * drawn again. JSON values only. List entries are matched by `id`, else by place.
 */
export function reconcile<Value>(before: unknown, now: Value): Value {
  if (Object.is(before, now)) return now
  if (Array.isArray(now)) {
    const old = Array.isArray(before) ? (before as unknown[]) : []
    const byId = new Map(old.map((entry) => [idOf(entry), entry]))
    const list = now.map((entry: unknown, index) => {
      const id = idOf(entry)
      return reconcile(id === undefined ? old[index] : byId.get(id), entry)
    })
    const same =
      Array.isArray(before) && old.length === list.length && list.every((entry, index) => Object.is(entry, old[index]))
    return (same ? before : list) as Value
  }
  if (typeof now !== 'object' || now === null) return now
  const isObject = typeof before === 'object' && before !== null && !Array.isArray(before)
  const old = isObject ? (before as Record<string, unknown>) : {}
  const entries = Object.entries(now).map(
    ([key, value]) => [key, reconcile(Object.hasOwn(old, key) ? old[key] : undefined, value)] as const,
  )
  const same =
    isObject &&
    Object.keys(old).length === entries.length &&
    entries.every(([key, value]) => Object.hasOwn(old, key) && Object.is(value, old[key]))
  return (same ? before : Object.fromEntries(entries)) as Value
}

function idOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null ? ((entry as { id?: unknown }).id ?? undefined) : undefined
}
