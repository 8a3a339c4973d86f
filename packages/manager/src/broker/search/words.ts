import { stem } from './stem.ts'

/** One run of letters and digits of a text. `parts` are its pieces when it is a camelCase or letter-digit compound. */
export interface Word {
  readonly kind: 'word'
  /** Indexed form of the whole run: lower case, stemmed. */
  readonly term: string
  /** Lower case, not stemmed. */
  readonly surface: string
  readonly parts: readonly string[]
}

/** One run of Chinese, Japanese or Korean characters, with the words the segmenter finds and all its character pairs. */
export interface CjkRun {
  readonly kind: 'cjk'
  readonly surface: string
  readonly terms: readonly string[]
  readonly pairs: readonly string[]
}

export type Token = Word | CjkRun

const CJK = String.raw`[[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー]--\p{P}]`
const RUN = new RegExp(String.raw`${CJK}+|[[\p{L}\p{M}\p{N}]--${CJK}]+`, 'gv')
// oxlint-disable-next-line no-control-regex -- ASCII is its own NFKC form
const ASCII = /^[\x00-\x7f]*$/
const ASCII_RUN = /[A-Za-z0-9]+/g
const IS_CJK = new RegExp(`^${CJK}`, 'v')
const SIMPLE = /^(?:[a-z]+|[A-Z][a-z]*|[A-Z]+|[0-9]+)$/
const PIECES = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}]+/gu

let segmenter: Intl.Segmenter | undefined

function cjkRun(surface: string): CjkRun {
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  const characters = Array.from(surface)
  return {
    kind: 'cjk',
    surface,
    terms: characters.length === 1 ? [surface] : Array.from(segmenter.segment(surface), ({ segment }) => segment),
    pairs: characters.slice(1).map((character, at) => characters[at]! + character),
  }
}

const NO_PARTS: readonly string[] = []

function word(run: string): Word {
  const surface = run.toLowerCase()
  if (SIMPLE.test(run)) return { kind: 'word', term: stem(surface), surface, parts: NO_PARTS }
  const pieces = run.match(PIECES) ?? []
  return {
    kind: 'word',
    term: stem(surface),
    surface,
    parts: pieces.length > 1 ? pieces.map((piece) => stem(piece.toLowerCase())) : NO_PARTS,
  }
}

/** Runs seen before: texts of one catalogue share most of their words. Emptied when full. */
const seen = new Map<string, Token>()
const SEEN_AT_MOST = 20_000

function token(run: string): Token {
  let known = seen.get(run)
  if (known === undefined) {
    if (seen.size >= SEEN_AT_MOST) seen.clear()
    known = IS_CJK.test(run) ? cjkRun(run) : word(run)
    seen.set(run, known)
  }
  return known
}

/**
 * The words of a text in order: NFKC (Unicode Standard Annex #15), case folded, camelCase and letter-digit compounds kept
 * whole and taken apart, CJK runs cut by `Intl.Segmenter` and into character pairs. Everything else separates words.
 */
export function tokens(text: string): Token[] {
  const ascii = ASCII.test(text)
  const runs = ascii ? text.match(ASCII_RUN) : text.normalize('NFKC').match(RUN)
  return runs === null ? [] : runs.map(token)
}
