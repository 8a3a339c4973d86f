/** `/data/x.md`, `~/x`, `./x/y.pdf`, `C:\x`, after a blank, a quote or a bracket; or a bare `name.ext`. */
const PATH =
  /(?<![^\s'"`(（“‘《])(?:~|\.{1,2}|[A-Za-z]:)?[\\/](?:[\w.@+-]+[\\/])*[\w.@+-]*|(?<![\w/.@-])[\w-]+\.[A-Za-z][A-Za-z0-9]{1,4}(?![\w/.@-])/gu
const EXTENSION = /\.([A-Za-z][A-Za-z0-9]{0,4})$/

/** A query without the file paths in it, and what the paths say: the extension of each file, `directory` for the others. */
export interface PathsRead {
  readonly text: string
  readonly kinds: readonly string[]
}

/** The folders and the name of a file say nothing about the tool that reads or writes it; its extension does. */
export function takeOutPaths(query: string): PathsRead {
  const kinds = new Set<string>()
  const text = query.replace(PATH, (path) => {
    if (path.length < 3) return path
    kinds.add(EXTENSION.exec(path.replace(/\.+$/, ''))?.[1]?.toLowerCase() ?? 'directory')
    return ' '
  })
  return { text, kinds: [...kinds] }
}
