/** Headings of the README's section of measured numbers, by language. */
export const numbersHeading = { en: 'Numbers', zh: '数据' } as const

/** The lines below a heading of the second level, up to the next one; `undefined` when there is no such heading. */
export function sectionOf(document: string, heading: string): string | undefined {
  const parts = document.split(/^## /m)
  return parts.find((part) => part.split('\n')[0]!.trim() === heading)
}

/** Rows of the tables of a section, without their headings and rulers. */
export function tableRows(section: string): readonly string[] {
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  return lines.filter((line, at) => !/^\|[-:| ]+$/.test(line) && !/^\|[-:| ]+$/.test(lines[at + 1] ?? ''))
}

/** Numbers a text states, without spaces and commas between thousands: `1 355` and `1,355` are 1355. */
export function figuresIn(text: string): readonly string[] {
  const plain = text.replaceAll(/\]\([^)]*\)/g, ']').replaceAll(/(?<=\d)[ ,\u202f\u00a0](?=\d{3}(?!\d))/g, '')
  return plain.match(/\d+(?:\.\d+)?/g) ?? []
}

/**
 * What is wrong with a table of measured numbers: a row that links to no document, or a figure that the document it links to
 * does not state. `read` gives the text of a linked path, `undefined` when there is no such document.
 */
export function misquotes(section: string, read: (path: string) => string | undefined): readonly string[] {
  return tableRows(section).flatMap((row) => {
    const paths = [...row.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map((match) => match[1]!)
    if (paths.length === 0) return [`${row}: links to no document`]
    const stated = new Set(paths.flatMap((path) => figuresIn(read(path) ?? '')))
    return figuresIn(row)
      .filter((figure) => !stated.has(figure))
      .map((figure) => `${row}: ${figure} is not in ${paths.join(', ')}`)
  })
}
