import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { changelogVersions, releaseChangelog } from './changelog.ts'

const head = '# Changelog\n\nAbout it.\n\n## [Unreleased]\n'
const older = '## [0.1.0] - 2026-12-01\n\n- First.\n'

test('what is unreleased gets a heading with version and day, and the notes', () => {
  const { text, notes } = releaseChangelog(`${head}\n### Added\n\n- A page.\n\n${older}`, '0.2.0', '2026-12-24')
  expect(notes).toBe('### Added\n\n- A page.')
  expect(text).toBe(`${head}\n## [0.2.0] - 2026-12-24\n\n### Added\n\n- A page.\n\n${older}`)
  expect(changelogVersions(text)).toEqual([
    { name: 'Unreleased' },
    { name: '0.2.0', date: '2026-12-24' },
    { name: '0.1.0', date: '2026-12-01' },
  ])
})

test('the first release', () => {
  const { text } = releaseChangelog(`${head}\n- All of it.\n`, '0.1.0', '2026-12-01')
  expect(text).toBe(`${head}\n## [0.1.0] - 2026-12-01\n\n- All of it.\n`)
})

test.each([
  [`${head}\n${older}`, '0.2.0', 'says nothing under'],
  ['# Changelog\n', '0.2.0', 'no heading "## [Unreleased]"'],
  [`${head}\n- x\n\n${older}`, '0.1.0', 'already has 0.1.0'],
])('%j is refused as %s', (text, version, reason) => {
  expect(() => releaseChangelog(text, version, '2026-12-24')).toThrow(reason)
})

test('the changelog of this repository has dated versions, or says what the first one brings', async () => {
  const text = await readFile(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')
  const [first, ...versions] = changelogVersions(text)
  expect(first).toEqual({ name: 'Unreleased' })
  expect(versions.filter(({ date }) => date === undefined)).toEqual([])
  if (versions.length === 0) expect(releaseChangelog(text, '0.1.0', '2026-12-01').notes).not.toBe('')
})
