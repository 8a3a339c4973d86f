import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder of the checkout. Not from the testkit, which brings its servers along and takes a second to load. */
export const checkout: string = fileURLToPath(new URL('../..', import.meta.url))

/** Something a document shows that can be tried: one command of a `sh` block, or another fenced block as a whole. */
export interface Snippet {
  /** Path from the root of the repository. */
  readonly document: string
  /** Line of the document, from 1. */
  readonly line: number
  /** The word behind the opening fence. */
  readonly info: string
  /** Without fences; of a command, without the comment behind it. */
  readonly text: string
}

/** A piece of inline code. */
export interface InlineCode {
  readonly document: string
  readonly line: number
  readonly text: string
}

/** The files of the checkout that git knows or would add. */
export const trackedFiles: readonly string[] = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard'],
  { cwd: checkout, encoding: 'utf8' },
)
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(checkout, path)))

/** Every Markdown file. */
export const documents: readonly string[] = trackedFiles.filter((path) => path.endsWith('.md'))

/** Documents whose Chinese twin stands beside them, and all that have none. */
export const originals: readonly string[] = documents.filter((path) => !path.endsWith('.zh-CN.md'))

export function readDocument(path: string): string {
  return readFileSync(join(checkout, path), 'utf8')
}

interface Line {
  readonly number: number
  readonly text: string
}

interface Block {
  readonly info: string
  readonly lines: readonly Line[]
}

interface Parts {
  readonly prose: readonly Line[]
  readonly blocks: readonly Block[]
}

/** Takes a document apart into prose and fenced blocks. Throws for a fence that is never closed. */
function partsOf(document: string): Parts {
  const prose: Line[] = []
  const blocks: { info: string; lines: Line[] }[] = []
  let fence: string | undefined
  for (const [index, text] of readDocument(document).split('\n').entries()) {
    const line = { number: index + 1, text }
    const [, marker, info] = /^\s*(`{3,}|~{3,})(.*)$/.exec(text) ?? []
    if (fence !== undefined) {
      if (marker?.startsWith(fence) && info!.trim() === '') fence = undefined
      else blocks.at(-1)!.lines.push(line)
    } else if (marker !== undefined) {
      fence = marker
      blocks.push({ info: info!.trim(), lines: [] })
    } else prose.push(line)
  }
  if (fence !== undefined) throw new Error(`${document}: a block is never closed`)
  return { prose, blocks }
}

/** A line of a shell without the comment behind it. */
export function withoutShellComment(line: string): string {
  return line.replace(/(^|\s)#.*$/, '').trimEnd()
}

/** Everything in a document that can be tried, in its order. */
export function snippetsOf(document: string): readonly Snippet[] {
  return partsOf(document).blocks.flatMap(({ info, lines }) => {
    if (info !== 'sh') {
      const text = lines.map((line) => line.text).join('\n')
      return [{ document, line: lines[0]?.number ?? 0, info, text }]
    }
    return lines
      .map(({ number, text }) => ({ document, line: number, info, text: withoutShellComment(text) }))
      .filter(({ text }) => text !== '')
  })
}

/** The fenced blocks of a document as they stand there. */
export function blocksOf(document: string): readonly { readonly info: string; readonly text: string }[] {
  return partsOf(document).blocks.map(({ info, lines }) => ({ info, text: lines.map(({ text }) => text).join('\n') }))
}

/** Inline code of a document's prose, tables and headings, in its order. */
export function inlineCodeOf(document: string): readonly InlineCode[] {
  return partsOf(document).prose.flatMap(({ number, text }) =>
    [...text.matchAll(/(`+)(.+?)\1/g)].map((match) => ({
      document,
      line: number,
      text: match[2]!.trim().replaceAll('\\|', '|'),
    })),
  )
}

/** Levels of the headings, in order. */
export function headingLevels(document: string): readonly number[] {
  return partsOf(document).prose.flatMap(({ text }) => /^(#{1,6}) /.exec(text)?.[1]?.length ?? [])
}

/** The prose without inline code, in which links are looked for. */
export function proseOf(document: string): string {
  return partsOf(document)
    .prose.map(({ text }) => text.replaceAll(/`[^`\n]*`/g, ''))
    .join('\n')
}
