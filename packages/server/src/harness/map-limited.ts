/** Maps with at most `limit` calls under way at once; results keep the order of the values. */
export async function mapLimited<T, R>(
  values: readonly T[],
  map: (value: T) => R | Promise<R>,
  limit = 16,
): Promise<R[]> {
  const results: R[] = []
  for (let offset = 0; offset < values.length; offset += limit) {
    results.push(...(await Promise.all(values.slice(offset, offset + limit).map(map))))
  }
  return results
}
