import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
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
