/** A changelog (https://keepachangelog.com/en/1.1.0/) after a release, and what the release brings. */
export interface ReleasedChangelog {
  readonly text: string
  /** The entries of the release, for its notes. */
  readonly notes: string
}

const heading = /^## \[(?<name>[^\]]+)\](?: - (?<date>\d{4}-\d{2}-\d{2}))?$/

/** The versions a changelog lists, the newest first, `Unreleased` among them. */
export function changelogVersions(text: string): readonly { readonly name: string; readonly date?: string }[] {
  return text.split('\n').flatMap((line) => {
    const groups = heading.exec(line)?.groups
    if (groups === undefined) return []
    const { name = '', date } = groups
    return [date === undefined ? { name } : { name, date }]
  })
}

/**
 * Moves what stands under `## [Unreleased]` under a heading of its own.
 *
 * @param date day of the release, `YYYY-MM-DD`
 * @throws Error when there is no such heading, nothing under it, or the version is there already.
 */
export function releaseChangelog(text: string, version: string, date: string): ReleasedChangelog {
  if (changelogVersions(text).some(({ name }) => name === version)) {
    throw new Error(`CHANGELOG.md already has ${version}`)
  }
  const lines = text.split('\n')
  const start = lines.indexOf('## [Unreleased]')
  if (start === -1) throw new Error('CHANGELOG.md has no heading "## [Unreleased]"')
  const next = lines.findIndex((line, index) => index > start && heading.test(line))
  const end = next === -1 ? lines.length : next
  const notes = lines
    .slice(start + 1, end)
    .join('\n')
    .trim()
  if (notes === '') throw new Error('CHANGELOG.md says nothing under "## [Unreleased]": write what the release brings')
  const released = [...lines.slice(0, start + 1), '', `## [${version}] - ${date}`, '', notes, '', ...lines.slice(end)]
  return { text: `${released.join('\n').trimEnd()}\n`, notes }
}
