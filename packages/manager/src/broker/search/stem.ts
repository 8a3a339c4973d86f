/** Words the rules below would damage, with the form they share with their relatives. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    news: 'news',
    series: 'series',
    species: 'species',
    always: 'always',
    canvas: 'canvas',
    atlas: 'atlas',
    alias: 'alias',
    aliases: 'alias',
    bias: 'bias',
    lens: 'lens',
    christmas: 'christmas',
    kubernetes: 'kubernetes',
    postgres: 'postgres',
    jenkins: 'jenkins',
    apis: 'api',
    axes: 'axis',
    indices: 'index',
    indexes: 'index',
    vertices: 'vertex',
    matrices: 'matrix',
    appendices: 'appendix',
    movies: 'movie',
    cookies: 'cookie',
    zombies: 'zombie',
    caches: 'cache',
    caching: 'cache',
    cached: 'cache',
    headaches: 'headache',
    lies: 'lie',
    dies: 'die',
    ties: 'tie',
    pies: 'pie',
    goes: 'go',
    does: 'do',
    children: 'child',
    people: 'person',
    men: 'man',
    women: 'woman',
    mice: 'mouse',
    feet: 'foot',
    leaves: 'leaf',
    wrote: 'write',
    written: 'write',
    found: 'find',
    got: 'get',
    sent: 'send',
    bought: 'buy',
    sold: 'sell',
    made: 'make',
    drew: 'draw',
    drawn: 'draw',
    chose: 'choose',
    chosen: 'choose',
    using: 'use',
    used: 'use',
    uses: 'use',
    embed: 'embed',
    hundred: 'hundred',
    focused: 'focus',
    focusing: 'focus',
    during: 'during',
    evening: 'evening',
    morning: 'morning',
    nothing: 'nothing',
    something: 'something',
    anything: 'anything',
    everything: 'everything',
    ceiling: 'ceiling',
    sibling: 'sibling',
    earring: 'earring',
    wedding: 'wedding',
    wording: 'wording',
    beijing: 'beijing',
    creating: 'create',
    created: 'create',
    exploring: 'explore',
    explored: 'explore',
    ignoring: 'ignore',
    ignored: 'ignore',
    restoring: 'restore',
    restored: 'restore',
    upgrading: 'upgrade',
    upgraded: 'upgrade',
    completing: 'complete',
    completed: 'complete',
    deleting: 'delete',
    deleted: 'delete',
    united: 'united',
    sacred: 'sacred',
    naked: 'naked',
    wicked: 'wicked',
    visiting: 'visit',
    visited: 'visit',
    editing: 'edit',
    edited: 'edit',
    limited: 'limit',
    limiting: 'limit',
    posting: 'post',
    posted: 'post',
    hosting: 'host',
    hosted: 'host',
    opening: 'open',
    opened: 'open',
    listening: 'listen',
    happening: 'happen',
    happened: 'happen',
    entering: 'enter',
    entered: 'enter',
    ordering: 'order',
    ordered: 'order',
    rendering: 'render',
    rendered: 'render',
    filtering: 'filter',
    filtered: 'filter',
  }),
)

const VOWEL = /[aeiouy]/
/** Ends consonant, vowel, consonant (not w, x, y), and has one vowel group only: the silent e was dropped ("mak", "writ"). */
const SHORT_STEM = /^[^aeiou]*[aeiouy][^aeiouywx]$/
/** Endings that do not occur in English without a silent e after them ("resolv", "balanc", "generat", "manag", "enabl"). */
const SILENT_E =
  /(?:[vcuz]|[^e]at|[^s]s|rg|dg|[a-z]{2}ag|[a-z]ang|ur|quir|[^aeiou]in|[^aeiou]id|[^aeiou]ut|[^aeiou]ud|[^aeiou]od|[^aeiou]il|[^aeiou]ul|[bcdfgkptz]l)$/

/** What is left after `-ing` or `-ed`, with the doubled consonant undone or the silent e restored. */
function restore(stem: string): string {
  const last = stem.at(-1)
  if (last === stem.at(-2)) return last === 'l' || last === 's' || last === 'z' ? stem : stem.slice(0, -1)
  if (SHORT_STEM.test(stem) || SILENT_E.test(stem)) return `${stem}e`
  return stem
}

function singular(word: string): string {
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ings')) return stem(word.slice(0, -1))
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word
  if (/(?:ss|sh|ch|x|us|zz)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

/**
 * The form of a lower-case English word under which it is indexed: plural, `-ing` and `-ed` removed, nothing else, so that
 * different words stay different ("bus", "status", "news", "string" are unchanged; "planes" and "plans" do not meet).
 * Words of up to three letters, and words with anything but a–z, are returned as they are.
 */
export function stem(word: string): string {
  if (word.length <= 3 || !/^[a-z]+$/.test(word)) return word
  const exception = EXCEPTIONS.get(word)
  if (exception !== undefined) return exception
  if (word.endsWith('ing') && word.length > 5) {
    const rest = word.slice(0, -3)
    return VOWEL.test(rest) && rest.length >= 3 ? restore(rest) : word
  }
  if (word.endsWith('ied') && word.length > 4) return `${word.slice(0, -3)}y`
  if (word.endsWith('ed') && !word.endsWith('eed') && word.length > 4) {
    const rest = word.slice(0, -2)
    return VOWEL.test(rest) && rest.length >= 3 ? restore(rest) : word
  }
  return singular(word)
}
