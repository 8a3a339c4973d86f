import { execFileSync, spawnSync } from 'node:child_process'
import { appendFile, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  addSource,
  nodeBinary,
  removePlugin,
  repositoryRoot,
  startEverything,
  startWebHost,
  temporaryHome,
} from '@dsh-mcp/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureStateFile } from '../../scripts/start/sample-state.ts'
import { proveInstalled } from './prove-installed.ts'

let folder: string
let clone: string

const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: clone, encoding: 'utf8' }).trim()

function release(...args: readonly string[]): { readonly status: number | null; readonly said: string } {
  const script = join(clone, 'scripts', 'release', 'main.ts')
  const { status, stdout, stderr } = spawnSync(nodeBinary, [script, ...args], { cwd: clone, encoding: 'utf8' })
  return { status, said: stdout + stderr }
}

const read = (path: string): Promise<string> => readFile(join(clone, path), 'utf8')

async function versionIn(path: string): Promise<string> {
  return (JSON.parse(await read(path)) as { version: string }).version
}

// A clone of what is committed here, with the installed packages of this checkout.
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'dsh-mcp-release-')))
  clone = join(folder, 'clone')
  execFileSync('git', ['clone', '--quiet', repositoryRoot, clone])
  git('checkout', '--quiet', '-B', 'main')
  git('config', 'user.name', 'Release Test')
  git('config', 'user.email', 'release@example.invalid')
  await appendFile(join(clone, '.git', 'info', 'exclude'), 'node_modules\n')
  const packages = ['manager', 'server', 'sdk-protocol', 'host', 'testkit'].map((name) => join('packages', name))
  for (const place of ['.', ...packages]) {
    await symlink(join(repositoryRoot, place, 'node_modules'), join(clone, place, 'node_modules'))
  }
})

afterAll(() => rm(folder, { recursive: true, force: true }))

test('a release that cannot be made changes nothing and says why', async () => {
  const before = git('rev-parse', 'HEAD')
  expect(release()).toMatchObject({ status: 2, said: expect.stringContaining('npm run release -- <patch') as unknown })
  expect(release('9.9')).toMatchObject({ status: 1, said: expect.stringContaining('"9.9" is no version') as unknown })
  git('checkout', '--quiet', '-b', 'work')
  expect(release('9.9.9').said).toContain('a release is made on main, but work is checked out')
  git('checkout', '--quiet', 'main')
  await writeFile(join(clone, 'stray.txt'), '')
  expect(release('9.9.9').said).toContain('stray.txt')
  await rm(join(clone, 'stray.txt'))
  git('tag', 'v9.9.9')
  expect(release('9.9.9').said).toContain('there is a tag v9.9.9 already')
  git('tag', '--delete', 'v9.9.9')
  expect(release('9.9.9', '--dry-run')).toMatchObject({
    status: 0,
    said: expect.stringContaining('→ 9.9.9') as unknown,
  })
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')]).toEqual([before, '', ''])
})

test('a release sets the version everywhere, and its tag can be installed from git', async () => {
  const before = git('rev-parse', 'HEAD')
  const brought = /## \[Unreleased\]\n+([^\n]+)/.exec(await read('CHANGELOG.md'))?.[1] ?? ''
  expect(release('9.9.9', '--skip-checks')).toMatchObject({ status: 0 })

  expect(git('log', '--format=%s', `${before}..main`)).toBe('Release 9.9.9')
  expect(git('status', '--porcelain')).toBe('')
  const manifests = git('ls-files', '*package.json').split('\n')
  expect(manifests.length).toBeGreaterThan(6)
  for (const path of manifests) expect([path, await versionIn(path)]).toEqual([path, '9.9.9'])
  expect(await read('packages/manager/README.md')).toContain('dsh-mcp-manager-9.9.9.tgz')
  expect(await read('packages/server/README.zh-CN.md')).toContain('dsh-mcp-server-9.9.9.tgz')
  expect(await read('docs/protocol.md')).toContain('"version": "9.9.9"')
  expect(await read('CHANGELOG.md')).toMatch(/## \[Unreleased\]\n\n## \[9\.9\.9\] - \d{4}-\d\d-\d\d\n/)
  const notes = await read('artifacts/release-notes.md')
  expect([notes.startsWith('# dsh-mcp 9.9.9\n\n'), notes.includes(brought)]).toEqual([true, true])
  expect(git('log', '-1', '--format=%P', 'v9.9.9')).toBe(git('rev-parse', 'main'))
  const added = git('diff', '--name-only', 'main', 'v9.9.9').split('\n')
  expect(added.filter((path) => !/^packages\/(?:manager|server|sdk-protocol)\/lib\//.test(path))).toEqual([])

  await using home = await temporaryHome()
  await ensureStateFile(home.path)
  await using sample = await startEverything()
  for (const name of ['manager', 'server']) {
    await addSource(home.path, 'web', `git+file://${clone}#v9.9.9&path:/packages/${name}`)
  }
  const env = { SAMPLE_MCP_PORT: String(sample.port) }
  await using host = await startWebHost({ home: home.path, plugins: ['manager', 'server'], env })
  expect(await proveInstalled(host, ['manager', 'server'])).toEqual([])
  const published = await readFile(join(home.path, 'mcp', 'dsh-mcp-endpoint.json'), 'utf8')
  expect(JSON.parse(published)).toMatchObject({ version: '9.9.9' })
}, 180_000)

test('a branch from git has no built files: the harness does not start with it, and does again without', async () => {
  await using home = await temporaryHome()
  await addSource(home.path, 'web', `git+file://${clone}#main&path:/packages/manager`)
  await expect(startWebHost({ home: home.path, plugins: ['manager'] })).rejects.toThrow(
    /Cannot find module .*plugin\.mjs/,
  )
  await removePlugin(home.path, 'web', 'manager')
  await using host = await startWebHost({ home: home.path })
  expect((await fetch(host.url)).status).toBe(200)
}, 120_000)
