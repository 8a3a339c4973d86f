import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { figuresIn, misquotes, numbersHeading, sectionOf, tableRows } from './numbers.ts'
import { checkout, readDocument } from './read.ts'

const read = (path: string): string | undefined => {
  const file = join(checkout, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
/** Without the section there is nothing to misquote: it comes with the first measured number. */
const english = sectionOf(readDocument('README.md'), numbersHeading.en)
const chinese = sectionOf(readDocument('README.zh-CN.md'), numbersHeading.zh)

test('the numbers of the README are those of the documents it links to', () => {
  expect(misquotes(english ?? '', read)).toEqual([])
  expect(misquotes(chinese ?? '', read)).toEqual([])
})

test('both languages state the same numbers, row by row', () => {
  const figures = (section: string | undefined) => section && tableRows(section).map(figuresIn)
  expect(figures(chinese)).toEqual(figures(english))
})

test('a number that was changed in one place only is found', () => {
  const table = (row: string) => `Numbers\n\n| What | Measured | |\n|---|---|---|\n${row}\n`
  const report = (path: string) => (path === 'docs/performance.md' ? '| schemas | 1 355 | 272.5 times |' : undefined)
  const quoted = (text: string) =>
    misquotes(table(`| schemas | ${text} | [how](docs/performance.md#schemas) |`), report)
  expect(quoted('1 355 bytes, 272.5 times less')).toEqual([])
  expect(quoted('1,355 bytes')).toEqual([])
  expect(quoted('355 bytes')).toHaveLength(1)
  expect(quoted('272 times less')).toHaveLength(1)
  expect(misquotes(table('| schemas | 1355 |'), report)).toEqual(['| schemas | 1355 |: links to no document'])
  expect(misquotes(table('| schemas | 1355 | [how](docs/gone.md) |'), report)).toHaveLength(1)
})
