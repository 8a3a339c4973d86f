import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { hostEnvironment, nodeBinary, startChild, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { tools as catalogue } from '../../packages/server/src/tools/index.ts'
import { endpointOf } from './delegate.ts'

async function inspectorEntry(): Promise<string> {
  const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json')
  const { bin } = JSON.parse(await readFile(manifest, 'utf8')) as { bin: Readonly<Record<string, string>> }
  return join(dirname(manifest), bin['mcp-inspector']!)
}

test('the Inspector lists the tools and has nothing to say against their schemas', async () => {
  await using home = await temporaryHome()
  await using _host = await startWebHost({ home: home.path, plugins: ['server'] })
  const { url, token } = await endpointOf(home.path)
  const target = [url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`]
  const args = ['--cli', ...target, '--method', 'tools/list', '--strict']
  await using inspector = startChild(nodeBinary, [await inspectorEntry(), ...args], {
    cwd: home.path,
    env: { ...hostEnvironment(home.path), HOME: home.path, MCP_CATALOG_PATH: join(home.path, 'catalog.json') },
    input: '',
  })
  const { code } = await inspector.exited
  expect({ code, stderr: inspector.stderr() }).toEqual({ code: 0, stderr: '' })
  const { tools } = JSON.parse(inspector.stdout()) as { tools: readonly unknown[] }
  expect(tools).toHaveLength(catalogue.length)
})
