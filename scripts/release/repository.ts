import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a release asks of the git repository at a folder. */
export interface Repository {
  /** Tracked files that match a pathspec. */
  files(pathspec: string): readonly string[]
  /** Throws when something is not committed, or when another branch than `main` is checked out. */
  requireCleanMain(): void
  /** Throws when there is such a tag. */
  requireNoTag(tag: string): void
  commitAll(message: string): void
  /**
   * Tags a commit that holds `folders`, though they are ignored, on top of what is checked out. Neither the branch nor the
   * working tree changes.
   */
  tagWith(folders: readonly string[], tag: string, message: string): void
}

/** The repository whose working tree is `root`. */
export function openRepository(root: string): Repository {
  const git = (args: readonly string[], env: NodeJS.ProcessEnv = {}): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } }).trim()

  return {
    files: (pathspec) => git(['ls-files', '--', pathspec]).split('\n').filter(Boolean),
    requireCleanMain() {
      const branch = git(['rev-parse', '--abbrev-ref', 'HEAD'])
      if (branch !== 'main') throw new Error(`a release is made on main, but ${branch} is checked out`)
      const changed = git(['status', '--porcelain'])
      if (changed !== '') throw new Error(`commit or put away first what has changed:\n${changed}`)
    },
    requireNoTag(tag) {
      if (git(['tag', '--list', tag]) !== '') throw new Error(`there is a tag ${tag} already`)
    },
    commitAll(message) {
      git(['add', '--update'])
      git(['commit', '--quiet', '--message', message])
    },
    tagWith(folders, tag, message) {
      const temporary = mkdtempSync(join(tmpdir(), 'dsh-mcp-index-'))
      try {
        const env = { GIT_INDEX_FILE: join(temporary, 'index') }
        git(['read-tree', 'HEAD'], env)
        git(['add', '--force', '--', ...folders], env)
        const commit = git(['commit-tree', git(['write-tree'], env), '-p', 'HEAD', '-m', message])
        git(['tag', '--annotate', '--message', message, tag, commit])
      } finally {
        rmSync(temporary, { recursive: true })
      }
    },
  }
}
