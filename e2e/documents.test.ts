import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '@dsh-mcp/testkit'
import { describe, expect, test } from 'vitest'

const documents = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: repositoryRoot,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(repositoryRoot, path)))

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

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '')
}

describe('every link inside the repository leads somewhere', () => {
  test.each(documents)('%s', async (path) => {
    const text = await readFile(join(repositoryRoot, path), 'utf8')
    const dead: string[] = []
    for (const [, target] of withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target!)) continue
      const [file, anchor] = target!.split('#')
      const linked = file === '' ? join(repositoryRoot, path) : join(repositoryRoot, dirname(path), file!)
      const found = existsSync(linked)
      const right = !found || anchor === undefined || anchors(await readFile(linked, 'utf8')).has(anchor)
      if (!found || !right) dead.push(target!)
    }
    expect(dead).toEqual([])
  })
})

test('docs/README.md lists every document, in both languages where there are two', async () => {
  const list = await readFile(join(repositoryRoot, 'docs', 'README.md'), 'utf8')
  const names = documents.filter((path) => path.startsWith('docs/')).map((path) => path.slice('docs/'.length))
  expect(names).toContain('protocol.zh-CN.md')
  expect(names.filter((name) => name !== 'README.md' && !list.includes(`](${name})`))).toEqual([])
})

test('docs/architecture.md names every room of the two plugins', async () => {
  const text = await readFile(join(repositoryRoot, 'docs', 'architecture.md'), 'utf8')
  const section = (title: string) => text.split(/^## /m).find((part) => part.startsWith(title)) ?? ''
  for (const plugin of ['manager', 'server']) {
    const entries = await readdir(join(repositoryRoot, 'packages', plugin, 'src'), { withFileTypes: true })
    const rooms = entries.filter((entry) => entry.isDirectory()).map((entry) => `\`${entry.name}/\``)
    const described = section(`The way of the data: ${plugin}`)
    expect(rooms.filter((room) => !described.includes(room))).toEqual([])
    const named = [...described.matchAll(/^\| (`[a-z-]+\/`) \|/gm)].map((match) => match[1]!)
    expect(named.toSorted()).toEqual(rooms.toSorted())
  }
})
