import { aliasesOf, aliasWordsIn } from './aliases.ts'
import type { Phrase, Place } from './aliases.ts'
import type { NearWord } from './near-words.ts'
import { takeOutPaths } from './paths.ts'
import { isStopWord } from './stop-words.ts'
import type { SearchWeights } from './weights.ts'
import { tokens } from './words.ts'
import type { CjkRun, Word } from './words.ts'

/** A way to satisfy one wish: a term, or the terms of a phrase. */
export interface Alternative {
  readonly terms: Phrase
  readonly weight: number
}

/** One thing a query asks for; a tool earns the best of its alternatives. */
export interface Wish {
  readonly weight: number
  /** What is asked for, a word of asking, or the kind of a file the query names. */
  readonly kind: 'content' | 'stop' | 'file'
  /**
   * Whether all alternatives are as rare as the whole wish (Pirkola 1998). So it is for words of a language most tools are
   * not described in: they are rare for that reason alone.
   */
  readonly isOneConcept: boolean
  readonly alternatives: readonly Alternative[]
}

/** What reading a query needs to know of an index. */
export interface Vocabulary {
  has(term: string): boolean
  near(word: string): readonly NearWord[]
}

export interface Reading {
  readonly vocabulary: Vocabulary
  readonly weights: SearchWeights
  /** Whether alias groups are used. */
  readonly aliases: boolean
}

function kindOf(word: string): 'content' | 'stop' {
  return isStopWord(word) ? 'stop' : 'content'
}

const SHORTEST_HALF = 3

/** "wordcloud" as "word" and "cloud", when both are known. */
function halves(term: string, { vocabulary }: Reading): Phrase | undefined {
  for (let at = SHORTEST_HALF; at <= term.length - SHORTEST_HALF; at++) {
    const pair = [term.slice(0, at), term.slice(at)]
    if (pair.every((half) => vocabulary.has(half))) return pair
  }
  return undefined
}

function spelledOtherwise(word: Word, reading: Reading): Alternative[] {
  const pair = halves(word.term, reading)
  if (pair !== undefined) return [{ terms: pair, weight: 1 }]
  return reading.vocabulary
    .near(word.term)
    .map(({ term, closeness }) => ({ terms: [term], weight: reading.weights.typo * closeness }))
}

function aliasAlternatives(key: string, weight: number, { aliases }: Reading): Alternative[] {
  return aliases ? aliasesOf(key).map((terms) => ({ terms, weight })) : []
}

/** "mind map" as "mindmap", and as what "mind map" is called otherwise. */
function withNeighbour(first: Word | undefined, second: Word | undefined, reading: Reading): Alternative[] {
  if (first === undefined || second === undefined) return []
  const { weights, vocabulary } = reading
  const joined = first.surface + second.term
  return [
    ...(vocabulary.has(joined) ? [{ terms: [joined], weight: weights.joined }] : []),
    ...aliasAlternatives(`${first.term} ${second.term}`, weights.alias, reading),
  ]
}

function wishesOfWord(word: Word, before: Word | undefined, after: Word | undefined, reading: Reading): Wish[] {
  const { weights, vocabulary } = reading
  const alternatives = [
    ...(vocabulary.has(word.term) ? [{ terms: [word.term], weight: 1 }] : []),
    ...withNeighbour(before, word, reading),
    ...withNeighbour(word, after, reading),
    ...aliasAlternatives(word.term, weights.alias, reading),
  ]
  if (alternatives.length === 0 && word.parts.length === 0) alternatives.push(...spelledOtherwise(word, reading))
  return [
    { weight: 1, kind: kindOf(word.surface), isOneConcept: false, alternatives },
    ...word.parts.map((part) => ({
      weight: weights.compoundPart,
      kind: 'content' as const,
      isOneConcept: false,
      alternatives: [{ terms: [part], weight: 1 }],
    })),
  ]
}

function places(words: readonly string[], step: (word: string) => number): Place[] {
  let next = 0
  return words.map((word) => {
    const at = next
    next += step(word)
    return { at, word }
  })
}

/**
 * The alias words of a run, then what they leave over: words of the segmenter, and pairs of characters for where it cuts the
 * tools' texts otherwise. What lies inside a known word is not asked for again.
 */
function wishesOfCjk(run: CjkRun, reading: Reading): Wish[] {
  const { weights } = reading
  const words = places(run.terms, (term) => term.length)
  const alone = new Set(words.filter(({ word }) => word.length === 1).map(({ at }) => at))
  const named = reading.aliases ? aliasWordsIn(run.surface, alone) : []
  const isInside = (inner: Place, outer: Place): boolean =>
    outer.at <= inner.at && inner.at + inner.word.length <= outer.at + outer.word.length
  const rest = words.filter((word) => !named.some((name) => isInside(word, name)))
  const pairs = places(run.pairs, (pair) => (pair.codePointAt(0)! > 0xffff ? 2 : 1))
  const known = [...named, ...rest.filter(({ word }) => reading.vocabulary.has(word))]
  const uncovered = pairs.filter((pair) => !known.some((place) => isInside(pair, place)))
  const wish = (term: string, weight: number, others: readonly Alternative[] = []): Wish => ({
    weight,
    kind: kindOf(term),
    isOneConcept: true,
    alternatives: [{ terms: [term], weight: 1 }, ...others],
  })
  return [
    ...named.map(({ word }) => wish(word, 1, aliasAlternatives(word, weights.chineseAlias, reading))),
    ...rest.map(({ word }) => wish(word, 1)),
    ...uncovered.map(({ word }) => wish(word, weights.characterPair)),
  ]
}

function wishesOfFiles(kinds: readonly string[], reading: Reading): Wish[] {
  const { weights } = reading
  if (kinds.length === 0) return []
  return ['file', ...kinds].map((kind, at) => ({
    weight: at === 0 ? weights.anyFile : weights.fileType,
    kind: 'file' as const,
    isOneConcept: false,
    alternatives: [{ terms: [kind], weight: 1 }, ...aliasAlternatives(kind, weights.alias, reading)],
  }))
}

/** Wishes that at least one indexed term may fulfil, each once; one that is repeated weighs a little more. */
function distinct(wishes: readonly Wish[], { vocabulary }: Reading): Wish[] {
  const found = new Map<string, { wish: Wish; times: number }>()
  for (const wish of wishes) {
    if (!wish.alternatives.some(({ terms }) => terms.some((term) => vocabulary.has(term)))) continue
    const key = wish.alternatives.map(({ terms }) => terms.join(' ')).join('|')
    const known = found.get(key)
    if (known === undefined) found.set(key, { wish, times: 1 })
    else known.times++
  }
  return Array.from(found.values(), ({ wish, times }) => ({ ...wish, weight: wish.weight * (1 + Math.log(times) / 2) }))
}

/**
 * What a query asks for. Words of asking ("please", "how", "一下") are left out unless there is nothing else, so a long
 * question is not drowned by them.
 */
export function readQuery(query: string, reading: Reading): Wish[] {
  const { text, kinds } = takeOutPaths(query)
  const found = tokens(text)
  const wordAt = (at: number): Word | undefined => {
    const token = found[at]
    return token?.kind === 'word' ? token : undefined
  }
  const wishes = distinct(
    [
      ...found.flatMap((token, at) =>
        token.kind === 'word'
          ? wishesOfWord(token, wordAt(at - 1), wordAt(at + 1), reading)
          : wishesOfCjk(token, reading),
      ),
      ...wishesOfFiles(kinds, reading),
    ],
    reading,
  )
  const content = wishes.filter(({ kind }) => kind !== 'stop')
  return content.length > 0 ? content : wishes
}
