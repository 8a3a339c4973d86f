import { eachTerm } from './documents.ts'
import type { SearchableTool } from './documents.ts'
import { ExactNames } from './exact-names.ts'
import type { Exactness } from './exact-names.ts'
import { NearWords } from './near-words.ts'
import type { NearWord } from './near-words.ts'
import type { SearchWeights } from './weights.ts'

/** Where one term occurs: slots in ascending order, and the weight it has there. */
export interface Posting {
  readonly term: string
  readonly slots: number[]
  readonly weights: number[]
}

interface Entry {
  readonly tool: SearchableTool
  readonly postings: readonly Posting[]
}

/**
 * The terms of tools, kept by difference. A tool lives in a slot; slots only grow, and are renumbered when more than half are
 * empty, so that a posting stays sorted by appending.
 */
export class InvertedIndex {
  readonly #weights: SearchWeights
  #entries: (Entry | undefined)[] = []
  readonly #slots = new Map<string, number>()
  readonly #postings = new Map<string, Posting>()
  readonly #words = new NearWords()
  readonly #names = new ExactNames()

  constructor(weights: SearchWeights) {
    this.#weights = weights
  }

  /** Number of tools. */
  get size(): number {
    return this.#slots.size
  }

  /** One more than the largest slot number; slots below it may be empty. */
  get slotCount(): number {
    return this.#entries.length
  }

  posting(term: string): Posting | undefined {
    return this.#postings.get(term)
  }

  /** Indexed words that `word` may be a slip of. */
  near(word: string): NearWord[] {
    return this.#words.near(word)
  }

  /** Tells of any tool, by public name, how exactly `query` names it. */
  exactness(query: string): (name: string) => Exactness {
    return this.#names.exactness(query)
  }

  toolAt(slot: number): SearchableTool | undefined {
    return this.#entries[slot]?.tool
  }

  slotOf(name: string): number | undefined {
    return this.#slots.get(name)
  }

  tools(): SearchableTool[] {
    return Array.from(this.#slots.values(), (slot) => this.#entries[slot]!.tool)
  }

  /** Takes tools out by public name, then puts others in, which replace those of the same name. */
  change(remove: readonly string[], add: readonly SearchableTool[]): void {
    this.#remove([...remove, ...add.map(({ name }) => name)])
    for (const tool of add) this.#add(tool)
    if (this.#entries.length > 64 && this.#slots.size * 2 < this.#entries.length) this.#renumber()
  }

  #add(tool: SearchableTool): void {
    if (this.#slots.has(tool.name)) return
    const slot = this.#entries.length
    const postings: Posting[] = []
    const visit = (term: string, weight: number): void => {
      let posting = this.#postings.get(term)
      if (posting === undefined) {
        posting = { term, slots: [], weights: [] }
        this.#postings.set(term, posting)
        this.#words.add(term)
      }
      const { slots, weights } = posting
      if (slots[slots.length - 1] === slot) weights[weights.length - 1]! += weight
      else {
        slots.push(slot)
        weights.push(weight)
        postings.push(posting)
      }
    }
    eachTerm(tool, visit, this.#weights)
    this.#entries.push({ tool, postings })
    this.#slots.set(tool.name, slot)
    this.#names.add(tool)
  }

  #remove(names: readonly string[]): void {
    const gone = new Set<number>()
    const touched = new Set<Posting>()
    for (const name of names) {
      const slot = this.#slots.get(name)
      if (slot === undefined) continue
      const { tool, postings } = this.#entries[slot]!
      for (const posting of postings) touched.add(posting)
      this.#names.delete(tool)
      gone.add(slot)
      this.#entries[slot] = undefined
      this.#slots.delete(name)
    }
    for (const posting of touched) this.#sweep(posting, gone)
  }

  #sweep({ term, slots, weights }: Posting, gone: ReadonlySet<number>): void {
    let kept = 0
    for (let at = 0; at < slots.length; at++) {
      if (gone.has(slots[at]!)) continue
      slots[kept] = slots[at]!
      weights[kept++] = weights[at]!
    }
    slots.length = kept
    weights.length = kept
    if (kept > 0) return
    this.#postings.delete(term)
    this.#words.delete(term)
  }

  #renumber(): void {
    const moved: number[] = []
    const entries: Entry[] = []
    this.#entries.forEach((entry, slot) => {
      if (entry === undefined) return
      moved[slot] = entries.length
      this.#slots.set(entry.tool.name, entries.length)
      entries.push(entry)
    })
    this.#entries = entries
    for (const { slots } of this.#postings.values())
      for (let at = 0; at < slots.length; at++) slots[at] = moved[slots[at]!]!
  }
}
