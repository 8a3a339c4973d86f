import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { changeLivePatch, smallServer, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
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

  const offered = async (expected: readonly string[]) => {
    const { offered: names } = await session.turn('')
    return JSON.stringify(names.toSorted()) === JSON.stringify(expected)
  }
  const off = JSON.stringify([{ id: 'mcp-manager', disabled: true }])
  await changeLivePatch(base, off, 'no MCP tool while the plugin is off', () => offered([]))
  await changeLivePatch(base, JSON.stringify([]), 'both servers again', () => offered(both))
}, 240_000)
