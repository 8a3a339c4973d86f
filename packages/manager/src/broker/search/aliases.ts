import { ALIAS_GROUPS } from './alias-groups.ts'
import { stem } from './stem.ts'

/** One way to say a word: a single indexed term, or the terms of a phrase. */
export type Phrase = readonly string[]

interface AliasTable {
  readonly alternatives: ReadonlyMap<string, readonly Phrase[]>
  /** Length in characters of the longest Chinese key. */
  readonly longest: number
}

function build(groups: readonly string[]): AliasTable {
  const alternatives = new Map<string, Map<string, Phrase>>()
  let longest = 0
  for (const group of groups) {
    const [chinese = '', english = ''] = group.split('|')
    const zh = chinese.split(' ').filter((word) => word !== '')
    const en = english.split(' ').filter((word) => word !== '')
    const phrases = [
      ...zh.map((word): readonly [string, Phrase] => [word, [word]]),
      ...en.map((word): readonly [string, Phrase] => {
        const terms = word.split('_').map(stem)
        return [terms.join(' '), terms]
      }),
    ]
    for (const word of zh) longest = Math.max(longest, word.length)
    for (const [key] of phrases) {
      const known = alternatives.get(key) ?? new Map<string, Phrase>()
      for (const [other, phrase] of phrases) if (other !== key) known.set(other, phrase)
      alternatives.set(key, known)
    }
  }
  return {
    alternatives: new Map([...alternatives].map(([key, known]) => [key, [...known.values()]])),
    longest,
  }
}

let table: AliasTable | undefined

/** The other ways to say `key` (an indexed term, a Chinese word, or terms joined by a space), none when it has no group. */
export function aliasesOf(key: string): readonly Phrase[] {
  table ??= build(ALIAS_GROUPS)
  return table.alternatives.get(key) ?? []
}

/** A word at a character offset of a text. */
export interface Place {
  readonly at: number
  readonly word: string
}

/**
 * The words of the alias table in a run of Chinese text, longest first from left to right, never overlapping. A word of one
 * character counts only where the segmenter cut it off as a word: `alone` holds those offsets.
 */
export function aliasWordsIn(run: string, alone: ReadonlySet<number>): Place[] {
  table ??= build(ALIAS_GROUPS)
  const found: Place[] = []
  for (let at = 0; at < run.length;) {
    let length = Math.min(table.longest, run.length - at)
    while (length > 0 && !(table.alternatives.has(run.slice(at, at + length)) && (length > 1 || alone.has(at))))
      length--
    if (length > 0) found.push({ at, word: run.slice(at, at + length) })
    at += Math.max(length, 1)
  }
  return found
}
