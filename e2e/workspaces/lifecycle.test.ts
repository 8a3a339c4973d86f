import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually, modelRequests, smallServer, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { declareGlobal, declareWorkspace, mcpTools, openSession } from './scene.ts'

const alpha = 'mcp__alpha__tool_1'

async function workspaceScene() {
  const home = await temporaryHome()
  const base = await realpath(home.path)
  const root = join(base, 'project')
  await mkdir(root)
  await declareGlobal(base, { shared: smallServer('shared') })
  await declareWorkspace(root, { mcpServers: { alpha: smallServer('alpha') }, disabled: ['shared'] })
  return { base, root, [Symbol.asyncDispose]: () => home[Symbol.asyncDispose]() }
}

test('a subagent of a workspace session has the same servers', async () => {
  await using s = await workspaceScene()
  await using host = await startWebHost({ home: s.base, plugins: ['manager'] })
  const session = await openSession(host, s.root)
  const task = JSON.stringify({ description: 'look', prompt: `call ${alpha} {}`, run_in_background: false })
  const { answer } = await session.turn(`call subagent ${task}`)
  expect(answer).toContain('tool_1 of alpha, pid')
  const child = (await modelRequests(s.base)).find((request) => request.sessionId !== session.id)
  expect(mcpTools(child)).toEqual([alpha])
})

test('a session that is continued after a crash and a restart has the servers of its workspace', async () => {
  await using s = await workspaceScene()
  let sessionId: string
  {
    await using host = await startWebHost({ home: s.base, plugins: ['manager'] })
    const session = await openSession(host, s.root)
    expect((await session.turn('')).offered).toEqual([alpha])
    sessionId = session.id
    await host.kill()
  }
  await using host = await startWebHost({ home: s.base, plugins: ['manager'] })
  const content = [{ type: 'text', text: 'say again' }]
  await host.api('session.prompt', { sessionId, mode: 'queue', content })
  const last = await eventually('a request after the restart', async () => {
    const requests = (await modelRequests(s.base)).filter((request) => request.sessionId === sessionId)
    return requests[1]
  })
  expect(mcpTools(last)).toEqual([alpha])
})

test('a switch in the middle of a turn counts for the next request of that turn', async () => {
  await using s = await workspaceScene()
  await using host = await startWebHost({ home: s.base, plugins: ['manager'] })
  const session = await openSession(host, s.root)
  const turn = session.turn(`call ${alpha} {}\nsleep 3000\ncall ${alpha} {}`)
  await eventually('the second request is under way', async () => (await modelRequests(s.base)).length === 2)
  await declareWorkspace(s.root, { mcpServers: { alpha: smallServer('alpha') }, disabled: ['alpha', 'shared'] })
  const { answer } = await turn
  const requests = await modelRequests(s.base)
  expect(requests.map(mcpTools)).toEqual([[alpha], [alpha], []])
  expect(answer).toContain('tool_1 of alpha, pid')
  expect(answer).toContain(`unknown tool`)
})
