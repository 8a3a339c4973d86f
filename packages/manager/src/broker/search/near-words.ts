/**
 * Optimal string alignment distance of two words (insert, delete, replace, swap neighbours), at most `limit`: anything
 * farther is `limit + 1`.
 */
export function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1
  const width = right.length + 1
  let older: number[] = []
  let previous = Array.from({ length: width }, (_, at) => at)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    let best = row
    for (let column = 1; column < width; column++) {
      const same = left[row - 1] === right[column - 1]
      let cost = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + (same ? 0 : 1))
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1])
        cost = Math.min(cost, older[column - 2]! + 1)
      current.push(cost)
      best = Math.min(best, cost)
    }
    if (best > limit) return limit + 1
    older = previous
    previous = current
  }
  return Math.min(previous[right.length]!, limit + 1)
}

/** A known word and how near it is to the one looked for: 1 for one typo, less for two. */
export interface NearWord {
  readonly term: string
  readonly closeness: number
}

const SHORTEST = 4
const TWO_TYPOS_FROM = 8
const CANDIDATES = 5

/** One bit for each letter a word has. */
function letters(word: string): number {
  let mask = 0
  for (let at = 0; at < word.length; at++) mask |= 1 << (word.charCodeAt(at) - 97)
  return mask
}

function bits(mask: number): number {
  let count = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++
  return count
}

/** Known words of the letters a–z, found again with a typo or two. */
export class NearWords {
  readonly #byLength = new Map<number, Map<string, number>>()

  add(word: string): void {
    if (word.length < SHORTEST - 1 || !/^[a-z]+$/.test(word)) return
    const bucket = this.#byLength.get(word.length) ?? new Map<string, number>()
    bucket.set(word, letters(word))
    this.#byLength.set(word.length, bucket)
  }

  delete(word: string): void {
    this.#byLength.get(word.length)?.delete(word)
  }

  /**
   * The known words nearest to `word`, at most five: nearest first, then those with the same first letter, then by code
   * point. One typo is forgiven in words of 4 to 7 letters, two from 8; shorter words have no neighbours.
   */
  near(word: string): NearWord[] {
    if (word.length < SHORTEST || !/^[a-z]+$/.test(word)) return []
    const limit = word.length >= TWO_TYPOS_FROM ? 2 : 1
    const mask = letters(word)
    const found: { term: string; distance: number }[] = []
    for (let length = word.length - limit; length <= word.length + limit; length++) {
      for (const [term, other] of this.#byLength.get(length) ?? []) {
        if (bits(mask ^ other) > 2 * limit) continue
        const distance = editDistance(word, term, limit)
        if (distance <= limit) found.push({ term, distance })
      }
    }
    const alike = (term: string) => Number(term.startsWith(word[0]!))
    found.sort((a, b) => a.distance - b.distance || alike(b.term) - alike(a.term) || (a.term < b.term ? -1 : 1))
    return found.slice(0, CANDIDATES).map(({ term, distance }) => ({ term, closeness: distance === 1 ? 1 : 0.7 }))
  }
}
