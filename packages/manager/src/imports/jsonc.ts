/**
 * JSON with comments and trailing commas, as editors keep their settings, made plain JSON: comments become blanks and a
 * comma before a closing bracket goes. Text inside strings is not touched.
 */
export function plainJson(text: string): string {
  const out: string[] = []
  /** Index in `out` of the last piece that is neither white space nor comment. */
  let last = -1
  let at = 0
  while (at < text.length) {
    const char = text[at]!
    const pair = text.slice(at, at + 2)
    let end = at + 1
    if (char === '"') end = endOfString(text, at)
    else if (pair === '//') end = endOf(text.indexOf('\n', at), 0, text)
    else if (pair === '/*') end = endOf(text.indexOf('*/', at + 2), 2, text)
    const isComment = pair === '//' || pair === '/*'
    if ((char === '}' || char === ']') && out[last] === ',') out[last] = ''
    out.push(isComment ? ' ' : text.slice(at, end))
    if (!isComment && char.trim() !== '') last = out.length - 1
    at = end
  }
  return out.join('')
}

const endOf = (found: number, length: number, text: string): number => (found < 0 ? text.length : found + length)

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}
