import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repositoryRoot } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { about } from './about.ts'
import { withFigures } from './figures.ts'
import { reportedDocuments } from './index.ts'
import { limits } from './limits.ts'
import { nameIn } from './names.ts'
import { pageOf } from './page.ts'
import { keptResults, type BenchResult } from './result.ts'

const run: BenchResult = {
  bench: 'search',
  date: '2026-12-01',
  machine: '2 × Processor, 8 GiB, Linux 6',
  load: 0.1,
  versions: { Node: '24.0.0' },
  rows: [
    { name: 'speed', value: 1.5, unit: '×', goal: 1, better: 'higher', met: true },
    { name: 'size', value: 3, unit: 'MiB', goal: 2, better: 'lower', met: false },
    { name: 'share', value: 0.7, unit: '', goal: null, better: 'higher', met: null },
  ],
}

test('the page shows each run with its origin, each row with its goal, and what was missed', () => {
  const page = pageOf([run, { ...run, bench: 'other', machine: '8 × Processor' }], 'en')
  expect(page).toContain('| [search](#search) | 2026-12-01 | 0.1 | 1 of 2 |')
  expect(page).toContain('- search: Machine: 2 × Processor, 8 GiB, Linux 6\n- Versions: Node 24.0.0\n')
  expect(page).toContain('| speed | 1.5 × | ≥ 1 × | yes |\n| size | 3 MiB | ≤ 2 MiB | no |\n| share | 0.7 |  |  |')
  expect(page).toContain('What limits the goals that were missed:\n\n- size: ')
})

test('the figures replace what stands between the marks, and are never left out in silence', () => {
  const readme = 'a\n<!-- figures -->\nold\n<!-- /figures -->\nb'
  expect(() => withFigures('a', [], 'en')).toThrow('no place for the figures')
  expect(() => withFigures(readme, [run], 'en')).toThrow('No kept run of "search" has the row "direct ÷ broker"')
})

test('the documents say what the kept runs say', async () => {
  for (const [path, text] of Object.entries(await reportedDocuments())) {
    const found = await readFile(join(repositoryRoot, path), 'utf8')
    expect(found, `${path}: npm run bench -- --report`).toBe(text)
  }
})

test('each kept bench is described, each row named in Chinese, each missed goal explained and no other', async () => {
  const results = await keptResults()
  expect(results.map(({ bench }) => bench).filter((bench) => about[bench] === undefined)).toEqual([])
  const rows = results.flatMap((result) => result.rows)
  const isCode = (name: string): boolean => /^`[^`]+`$/.test(name)
  expect(rows.map(({ name }) => name).filter((name) => !isCode(name) && nameIn('zh', name) === name)).toEqual([])
  const missed = new Set(rows.filter(({ met }) => met === false).map(({ name }) => name))
  expect(Object.keys(limits).toSorted()).toEqual([...missed].toSorted())
})
