import type { SearchableTool } from './documents.ts'
import { InvertedIndex } from './inverted-index.ts'
import { readQuery } from './query.ts'
import { score } from './scoring.ts'
import { DEFAULT_WEIGHTS } from './weights.ts'
import type { SearchWeights } from './weights.ts'

export interface SearchRequest {
  /** Missing or blank: the whole catalogue by server and tool, each with score 0. */
  readonly query?: string | undefined
  /** Tools that may be found; all when missing. */
  readonly among?: ((tool: SearchableTool) => boolean) | undefined
  /** Most hits to return. Default 10. */
  readonly limit?: number | undefined
  /** `false` looks for the words of the query only, not for their aliases. */
  readonly aliases?: boolean | undefined
}

export interface SearchHit {
  readonly tool: SearchableTool
  /** Whole number, larger is better; comparable only within one answer. */
  readonly score: number
}

export interface SearchAnswer {
  /** Number of hits before `limit`. */
  readonly total: number
  readonly hits: readonly SearchHit[]
}

interface Candidate {
  readonly tool: SearchableTool
  readonly score: number
}

const SCALE = 100

/** How far above the best other tool a named tool stands, in best scores. */
const LIFT = { tool: 2, server: 1, none: 0 } as const

function compareText(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

function compareTools(left: SearchableTool, right: SearchableTool): number {
  return compareText(left.server, right.server) || compareText(left.name, right.name)
}

function compareCandidates(left: Candidate, right: Candidate): number {
  return right.score - left.score || compareTools(left.tool, right.tool)
}

/** Keeps the best `limit` of many candidates, in order, without sorting them all. */
class Best {
  readonly kept: Candidate[] = []
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  offer(candidate: Candidate): void {
    const { kept } = this
    if (kept.length === this.#limit && compareCandidates(kept.at(-1)!, candidate) <= 0) return
    let at = kept.length
    while (at > 0 && compareCandidates(kept[at - 1]!, candidate) > 0) at--
    kept.splice(at, 0, candidate)
    if (kept.length > this.#limit) kept.pop()
  }
}

/**
 * Finds tools by words, in English and Chinese, without a network, a model or a file.
 *
 * A query that is the name of a tool, or `server.tool`, gets that tool first; the name of a server gets its tools first. The
 * same tools and the same query always give the same answer, whatever the order of earlier changes.
 *
 * @example
 * const index = new SearchIndex()
 * index.change([], [{ name: 'mcp__mail__send', server: 'mail', tool: 'send', description: 'Send an email' }])
 * index.search({ query: '发邮件' }).hits[0]?.tool.name // 'mcp__mail__send'
 */
export class SearchIndex {
  readonly #index: InvertedIndex
  readonly #weights: SearchWeights

  constructor(weights: SearchWeights = DEFAULT_WEIGHTS) {
    this.#weights = weights
    this.#index = new InvertedIndex(weights)
  }

  get size(): number {
    return this.#index.size
  }

  /** The tool of a public name. */
  get(name: string): SearchableTool | undefined {
    const slot = this.#index.slotOf(name)
    return slot === undefined ? undefined : this.#index.toolAt(slot)
  }

  /** Takes tools out by public name, then puts others in, which replace those of the same name. */
  change(remove: readonly string[], add: readonly SearchableTool[]): void {
    this.#index.change(remove, add)
  }

  search({ query = '', among = () => true, limit = 10, aliases = true }: SearchRequest): SearchAnswer {
    if (query.trim() === '') {
      const tools = this.#index.tools().filter(among).sort(compareTools)
      return { total: tools.length, hits: tools.slice(0, limit).map((tool) => ({ tool, score: 0 })) }
    }
    const index = this.#index
    const vocabulary = {
      has: (term: string) => index.posting(term) !== undefined,
      near: (word: string) => index.near(word),
    }
    const scores = score(index, readQuery(query, { vocabulary, weights: this.#weights, aliases }), this.#weights)
    let top = 1
    for (const earned of scores) if (earned > top) top = earned
    const exactness = index.exactness(query)
    const best = new Best(limit)
    let total = 0
    for (let slot = 0; slot < scores.length; slot++) {
      const tool = index.toolAt(slot)
      if (tool === undefined) continue
      const exact = exactness(tool.name)
      if ((scores[slot] === 0 && exact === 'none') || !among(tool)) continue
      total++
      best.offer({ tool, score: scores[slot]! + LIFT[exact] * top })
    }
    return { total, hits: best.kept.map(({ tool, score }) => ({ tool, score: Math.round(score * SCALE) })) }
  }
}
