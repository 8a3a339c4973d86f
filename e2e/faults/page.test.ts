import { hostname } from 'node:os'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repositoryRoot } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { snippetsFor } from '../documents/proofs.ts'
import type { Outcome } from './fault.ts'
import { faultNames } from './page-zh.ts'
import { pagesOf } from './page.ts'
import { faults } from './table/index.ts'

const amounts = { calls: 1, frames: 2, clients: 3, loadSeconds: 4, seed: 5, short: false }

const outcomes: readonly Outcome[] = [
  { fault: 'a full disk', point: 'here', result: 'survived', ms: 1200 },
  { fault: 'a full disk', point: 'there', result: 'skipped', note: 'no right to mount', ms: 1 },
  {
    fault: 'mixed load',
    point: 'flat',
    result: 'survived',
    note: '70 rounds in 4 s; all flat',
    figures: [{ what: 'open handles', start: 30, end: 31, growth: 0.94, allowed: 8 }],
    ms: 4000,
  },
]

test('the page shows each fault, each point and the load, in English and Chinese, and says nothing of the machine but its kind', async () => {
  const { en, zh } = await pagesOf(outcomes, amounts)
  expect(en).toContain('| a full disk | 1 | 1 | 0 | 1 |')
  expect(en).toContain('| All | 2 | 2 | 0 | 1 |')
  expect(en).toContain('| open handles | 30 | 31 | 0.9 | 8 |')
  expect(en).toContain('skipped   a full disk: there (no right to mount)')
  expect(zh).toContain('| 磁盘写满 | 1 | 1 | 0 | 1 |')
  expect(zh).toContain('| 打开的句柄 | 30 | 31 | 0.9 | 8 |')
  expect(zh).toContain('4 秒内 70 轮')
  for (const page of [en, zh]) {
    expect(page).toMatch(
      /Node \d.*@deepseek-ai\/dsh \d.*@dsh-mcp\/manager \d.*@dsh-mcp\/server \d.*@dsh-mcp\/sdk-protocol \d/,
    )
    expect(page).not.toContain(process.cwd())
    expect(page).not.toContain(hostname())
  }
})

test('every fault has a name in Chinese, and no name is left of one that is gone', () => {
  expect(Object.keys(faultNames).toSorted()).toEqual(faults.map(({ fault }) => fault).toSorted())
})

test('the page in docs lists as many points as its table counts', async () => {
  const [listed] = snippetsFor('what a run printed', 'docs/reliability.md')
  const count = (result: string) => listed?.text.split('\n').filter((line) => line.startsWith(result)).length
  const table = await readFile(join(repositoryRoot, 'docs', 'reliability.md'), 'utf8')
  const [, tried, survived, lost, skipped] = /^\| All \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$/m.exec(table) ?? []
  expect([count('survived'), count('data lost'), count('skipped')].map(String)).toEqual([survived, lost, skipped])
  expect(survived).toBe(tried)
})
