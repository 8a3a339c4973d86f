import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  blocksOf,
  checkout,
  documents,
  headingLevels,
  inlineCodeOf,
  readDocument,
  withoutShellComment,
} from './read.ts'

/** Written by the fault suite: the list of each point, as it was printed, stands in the English page alone. */
const shorter = 'docs/reliability.zh-CN.md'
const twins = documents.filter((path) => path.endsWith('.zh-CN.md') && path !== shorter)
const originalOf = (twin: string): string => twin.replace('.zh-CN.md', '.md')

/** Documents in English alone: for those who change the code, written by a program, or a list of the others. */
const englishOnly = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'bench/data/tool-search/README.md',
  'docs/architecture.md',
  'docs/review.md',
  'docs/tools.md',
]

/** Inline code that says something to a person, in both languages. */
const said: Readonly<Record<string, string>> = {
  '40 加 2 等于几': 'what is the sum of 40 and 2?',
  '${NAME:-默认值}': '${NAME:-default}',
  '${X:-默认值}': '${X:-default}',
  'NODE_EXTRA_CA_CERTS=<文件>': 'NODE_EXTRA_CA_CERTS=<file>',
}

/** What a block does, without what it says to a person in comments. */
function deeds(document: string): readonly object[] {
  return blocksOf(document).map(({ info, text }) => {
    const lines = text.split('\n')
    if (info === 'sh' || info === 'yaml') return { info, lines: lines.map(withoutShellComment) }
    return { info, lines }
  })
}

function codeOf(document: string): readonly string[] {
  return [...new Set(inlineCodeOf(document).map(({ text }) => said[text] ?? text))].toSorted()
}

function rowsOf(document: string): number {
  return readDocument(document)
    .split('\n')
    .filter((line) => line.startsWith('|')).length
}

test('every document is there in both languages, but those that need no second one', () => {
  const alone = documents.filter(
    (path) => !path.endsWith('.zh-CN.md') && !existsSync(join(checkout, path.replace(/\.md$/, '.zh-CN.md'))),
  )
  expect(alone).toEqual(englishOnly)
})

describe.each(twins)('%s', (twin) => {
  test('shows the same blocks as the English document', () => {
    expect(deeds(twin)).toEqual(deeds(originalOf(twin)))
  })

  test('has its headings, its rows of tables and its inline code', () => {
    const shape = (path: string) => ({ headings: headingLevels(path), rows: rowsOf(path), code: codeOf(path) })
    expect(shape(twin)).toEqual(shape(originalOf(twin)))
  })
})
