import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { releaseChangelog } from './changelog.ts'
import { openRepository } from './repository.ts'
import { nextVersion, withReleaseNames, withVersion } from './version.ts'

/**
 * `npm run release -- <patch|minor|major|x.y.z>`: sets the version everywhere, dates the changelog, writes
 * `artifacts/release-notes.md` and the tarballs, commits, and tags. It pushes and publishes nothing. `--dry-run` changes
 * nothing and says what would be; `--skip-checks` leaves out `npm run check`, `npm test` and `npm run pack`.
 *
 * The tag stands on a commit of its own that holds the built files too, so that a package can be installed from git.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
const built = ['manager', 'server', 'sdk-protocol'].map((name) => `packages/${name}/lib`)
const at = (path: string): string => join(root, path)

interface Change {
  readonly path: string
  readonly text: string
}

function step(script: string, ...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [at(script), ...args], { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${script} failed: nothing was committed. \`git restore .\` undoes the rest`)
}

function run(wanted: string, isDry: boolean, skipsChecks: boolean): void {
  const repository = openRepository(root)
  const { version: current } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { version: string }
  const version = nextVersion(current, wanted)
  const tag = `v${version}`
  repository.requireCleanMain()
  repository.requireNoTag(tag)

  const changed = (paths: readonly string[], change: (text: string) => string): readonly Change[] =>
    paths
      .map((path) => ({ path, before: readFileSync(at(path), 'utf8') }))
      .map(({ path, before }) => ({ path, before, text: change(before) }))
      .filter(({ before, text }) => before !== text)
  const date = new Date().toISOString().slice(0, 10)
  const changelog = releaseChangelog(readFileSync(at('CHANGELOG.md'), 'utf8'), version, date)
  const changes: readonly Change[] = [
    ...changed(repository.files('*package.json'), (text) => withVersion(text, version)),
    ...changed(repository.files('*.md'), (text) => withReleaseNames(text, version)),
    { path: 'CHANGELOG.md', text: changelog.text },
  ]
  console.log(`${current} → ${version}\n\n${changelog.notes}\n\n${changes.map(({ path }) => `  ${path}`).join('\n')}`)
  if (isDry) return

  for (const { path, text } of changes) writeFileSync(at(path), text)
  // The built files carry the version.
  step('node_modules/tsdown/dist/run.mjs')
  if (!skipsChecks) for (const script of ['scripts/check.ts', 'scripts/test.ts', 'scripts/pack.ts']) step(script)
  mkdirSync(at('artifacts'), { recursive: true })
  writeFileSync(at('artifacts/release-notes.md'), `# dsh-mcp ${version}\n\n${changelog.notes}\n`)
  repository.commitAll(`Release ${version}`)
  repository.tagWith(built, tag, `dsh-mcp ${version}, with its built files`)
  console.log(`\nCommitted and tagged ${tag}. Notes: artifacts/release-notes.md. Next: git push origin main ${tag}`)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'dry-run': { type: 'boolean', default: false },
    'skip-checks': { type: 'boolean', default: false },
  },
})
const [wanted, ...more] = positionals
if (wanted === undefined || more.length > 0) {
  console.error('npm run release -- <patch|minor|major|x.y.z> [--dry-run] [--skip-checks]')
  process.exitCode = 2
} else {
  try {
    run(wanted, values['dry-run'], values['skip-checks'])
  } catch (error) {
    console.error(`No release: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
