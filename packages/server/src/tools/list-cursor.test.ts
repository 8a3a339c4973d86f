import { expect, test } from 'vitest'
import { pageAfter } from './list-cursor.ts'

interface Row {
  readonly at: number
  readonly id: string
}
const rows: readonly Row[] = [
  { at: 9, id: 'a' },
  { at: 5, id: 'b' },
  { at: 5, id: 'c' },
  { at: 1, id: 'd' },
]
const place = (row: Row) => [row.at, row.id] as const

test('pages follow one another, also when rows come and go in between', () => {
  const first = pageAfter(rows, { limit: 2 }, place)
  expect(first.page.map((row) => row.id)).toEqual(['a', 'b'])
  const changed = [{ at: 10, id: 'new' }, ...rows.filter((row) => row.id !== 'b')]
  const second = pageAfter(changed, { limit: 2, cursor: first.nextCursor! }, place)
  expect(second.page.map((row) => row.id)).toEqual(['c', 'd'])
  expect(second.nextCursor).toBeNull()
})

test('a cursor that is not ours is refused', () => {
  for (const cursor of ['x', 'W10', Buffer.from('[1]').toString('base64url')]) {
    expect(() => pageAfter(rows, { limit: 2, cursor }, place)).toThrow('cursor is not one this server gave')
  }
})
