import type { InvertedIndex } from './inverted-index.ts'
import type { Wish } from './query.ts'
import type { SearchWeights } from './weights.ts'

/** What the tools of an index earn for a query, by slot; 0 for a tool that is no result. */
export type Scores = Float64Array

/** Rarity of a term, as in BM25: never negative. */
function rarity(documents: number, containing: number): number {
  return Math.log(1 + (documents - containing + 0.5) / (containing + 0.5))
}

/** Tools that have at least one term of a wish. */
function answering(index: InvertedIndex, wish: Wish): number {
  const slots = new Set<number>()
  for (const { terms } of wish.alternatives)
    for (const term of terms) for (const slot of index.posting(term)?.slots ?? []) slots.add(slot)
  return slots.size
}

/** Earnings of one wish: the slots it touches, and the values in `earned` at those slots (reset by the caller). */
function scoreWish(index: InvertedIndex, wish: Wish, saturation: number, earned: Scores): number[] {
  const touched: number[] = []
  const offer = (slot: number, value: number) => {
    if (value <= earned[slot]!) return
    if (earned[slot] === 0) touched.push(slot)
    earned[slot] = value
  }
  const common = wish.isOneConcept ? rarity(index.size, answering(index, wish)) : Infinity
  for (const { terms, weight } of wish.alternatives) {
    const sums = terms.length > 1 ? new Map<number, number>() : undefined
    for (const term of terms) {
      const posting = index.posting(term)
      if (posting === undefined) continue
      const { slots, weights } = posting
      const rare = Math.min(common, rarity(index.size, slots.length))
      const most = (wish.weight * weight * rare) / terms.length
      for (let at = 0; at < slots.length; at++) {
        const slot = slots[at]!
        const value = (most * weights[at]!) / (weights[at]! + saturation)
        if (sums === undefined) offer(slot, value)
        else sums.set(slot, (sums.get(slot) ?? 0) + value)
      }
    }
    for (const [slot, value] of sums ?? []) offer(slot, value)
  }
  return touched
}

/**
 * Sum over the wishes of what each tool earns, times the share of the query it answers to, raised to `coverage`. A tool that
 * answers to nothing but the kinds of files is no result, unless the query asks for nothing else.
 */
export function score(index: InvertedIndex, wishes: readonly Wish[], weights: SearchWeights): Scores {
  const totals: Scores = new Float64Array(index.slotCount)
  const answered: Scores = new Float64Array(index.slotCount)
  const admitted = new Uint8Array(index.slotCount)
  const earned: Scores = new Float64Array(index.slotCount)
  let askedFor = 0
  let anyAdmitted = false
  for (const wish of wishes) {
    const touched = scoreWish(index, wish, weights.saturation, earned)
    let best = 0
    for (const slot of touched) best = Math.max(best, earned[slot]!)
    askedFor += best
    for (const slot of touched) {
      totals[slot]! += earned[slot]!
      answered[slot]! += Math.sqrt(earned[slot]! * best)
      if (wish.kind !== 'file') admitted[slot] = 1
      earned[slot] = 0
    }
    anyAdmitted ||= wish.kind !== 'file' && touched.length > 0
  }
  for (let slot = 0; slot < totals.length; slot++) {
    if (anyAdmitted && admitted[slot] === 0) totals[slot] = 0
    else if (totals[slot]! > 0) totals[slot]! *= (answered[slot]! / askedFor) ** weights.coverage
  }
  return totals
}
