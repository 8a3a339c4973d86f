import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkout, documents, originals, proseOf } from './read.ts'

/** Anchors of a document's headings, as the usual renderers make them. */
function anchors(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map((match) => match[1]!)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s/g, '-'),
    ),
  )
}

/** Where the links of a document lead, images included. */
function targetsOf(path: string): readonly string[] {
  return [...proseOf(path).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!)
}

const isExternal = (target: string): boolean => /^[a-z]+:/.test(target)

describe('every link inside the repository leads somewhere', () => {
  test.each(documents)('%s', async (path) => {
    const dead: string[] = []
    for (const target of targetsOf(path).filter((one) => !isExternal(one))) {
      const [file, anchor] = target.split('#')
      const linked = file === '' ? join(checkout, path) : join(checkout, dirname(path), file!)
      const found = existsSync(linked)
      const right = !found || anchor === undefined || anchors(await readFile(linked, 'utf8')).has(anchor)
      if (!found || !right) dead.push(target)
    }
    expect(dead).toEqual([])
  })
})

test('links that leave the repository are the few we know', () => {
  // Nothing asks the network here: a new one has to be tried by the person who adds it.
  const known = [
    'https://doi.org/10.1145/1031171.1031181',
    'https://github.com/deepseek-ai/deepseek-harness',
    'https://keepachangelog.com/en/1.1.0/',
    'https://modelcontextprotocol.io',
    'https://semver.org',
  ]
  const external = documents.flatMap(targetsOf).filter(isExternal)
  expect([...new Set(external)].toSorted()).toEqual(known)
})

/** The Chinese twin of a document, or the document itself when it has none. */
function inChinese(path: string): string {
  const twin = path.replace(/\.md$/, '.zh-CN.md')
  return existsSync(join(checkout, twin)) ? twin : path
}

test.each(['docs/README.md', 'docs/README.zh-CN.md'])('%s lists every document, in its own language', (index) => {
  const chinese = index.endsWith('.zh-CN.md')
  const wanted = originals
    .filter((path) => path.startsWith('docs/') && path !== 'docs/README.md')
    .map((path) => (chinese ? inChinese(path) : path).slice('docs/'.length))
  expect(wanted.length).toBeGreaterThan(8)
  expect(wanted.filter((name) => !targetsOf(index).includes(name))).toEqual([])
})

test('docs/architecture.md names every room of the two plugins', async () => {
  const text = await readFile(join(checkout, 'docs', 'architecture.md'), 'utf8')
  const section = (title: string) => text.split(/^## /m).find((part) => part.startsWith(title)) ?? ''
  for (const plugin of ['manager', 'server']) {
    const entries = await readdir(join(checkout, 'packages', plugin, 'src'), { withFileTypes: true })
    const rooms = entries.filter((entry) => entry.isDirectory()).map((entry) => `\`${entry.name}/\``)
    const described = section(`The way of the data: ${plugin}`)
    expect(rooms.filter((room) => !described.includes(room))).toEqual([])
    const named = [...described.matchAll(/^\| (`[a-z-]+\/`) \|/gm)].map((match) => match[1]!)
    expect(named.toSorted()).toEqual(rooms.toSorted())
  }
})
