import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually, smallServer, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { declareGlobal, declareWorkspace, openSession } from './scene.ts'

test('switching the plugin off and on in the running host leaves no stale tool in a live session', async () => {
  await using home = await temporaryHome()
  const base = await realpath(home.path)
  const root = join(base, 'project')
  await mkdir(root)
  await declareGlobal(base, { shared: smallServer('shared') })
  await declareWorkspace(root, { mcpServers: { alpha: smallServer('alpha') } })
  await using host = await startWebHost({ home: base, plugins: ['manager'] })
  const session = await openSession(host, root)
  const both = ['mcp__alpha__tool_1', 'mcp__shared__tool_1']
  expect((await session.turn('')).offered.toSorted()).toEqual(both)

  const patch = join(base, 'profiles', 'web', 'cordis.patch.yml')
  const offered = (what: string, expected: readonly string[]) =>
    eventually(what, async () => {
      const { offered: names } = await session.turn('')
      return JSON.stringify(names.toSorted()) === JSON.stringify(expected)
    })
  await writeFile(patch, JSON.stringify([{ id: 'mcp-manager', disabled: true }]))
  await offered('no MCP tool while the plugin is off', [])
  await writeFile(patch, JSON.stringify([]))
  await offered('both servers again', both)
})
