import { Failure } from '../harness/index.ts'

/** The place of a row in a list that is sorted by number, largest first, then by id. */
export type Place = readonly [order: number, id: string]

function encode(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

function decode(cursor: string): Place {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(place) && typeof place[0] === 'number' && typeof place[1] === 'string')
      return [place[0], place[1]]
  } catch {
    // Told below.
  }
  throw new Failure('invalid_argument', 'cursor is not one this server gave', {
    hint: 'Give the nextCursor of the previous page unchanged, or leave cursor out to start again.',
  })
}

function isAfter([order, id]: Place, [afterOrder, afterId]: Place): boolean {
  return order < afterOrder || (order === afterOrder && id > afterId)
}

/**
 * One page of a sorted list. The cursor names the last row of the page before, so that rows which come or go meanwhile
 * shift nothing.
 *
 * @throws Failure `invalid_argument` for a cursor that is not ours.
 */
export function pageAfter<Row>(
  rows: readonly Row[],
  request: { readonly cursor?: string | undefined; readonly limit: number },
  placeOf: (row: Row) => Place,
): { readonly page: readonly Row[]; readonly nextCursor: string | null } {
  const after = request.cursor === undefined ? undefined : decode(request.cursor)
  const rest = after === undefined ? rows : rows.filter((row) => isAfter(placeOf(row), after))
  const page = rest.slice(0, request.limit)
  const last = page.at(-1)
  return { page, nextCursor: last === undefined || rest.length === page.length ? null : encode(placeOf(last)) }
}
