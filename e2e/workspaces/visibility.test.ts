import { mkdir, realpath, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually, modelRequests, smallServer, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { describe, expect, test } from 'vitest'
import { delegateTo } from '../server/delegate.ts'
import { declareGlobal, declareWorkspace, mcpTools, openSession } from './scene.ts'

async function scene() {
  const home = await temporaryHome()
  const base = await realpath(home.path)
  const a = join(base, 'projects', 'a')
  const b = join(base, 'projects', 'b')
  await mkdir(join(a, 'sub'), { recursive: true })
  await mkdir(b, { recursive: true })
  await mkdir(join(base, 'elsewhere'))
  await symlink(a, join(base, 'link-to-a'))
  await declareGlobal(base, { shared: smallServer('shared') })
  await declareWorkspace(a, { mcpServers: { alpha: smallServer('alpha') } })
  await declareWorkspace(b, { mcpServers: { beta: smallServer('beta') }, disabled: ['shared'] })
  return { home, base, a, b, [Symbol.asyncDispose]: () => home[Symbol.asyncDispose]() }
}

/** Arguments of `run_code` for a program that calls one tool. */
function program(tool: string): string {
  return JSON.stringify({ code: `return await tools.${tool}({})`, description: 'call a tool' })
}

const shared = 'mcp__shared__tool_1'
const alpha = 'mcp__alpha__tool_1'
const beta = 'mcp__beta__tool_1'

describe.each(['native', 'code'])('in %s mode', (mode) => {
  test('each session sees the servers of its own workspace, and nothing else answers', async () => {
    await using s = await scene()
    await using host = await startWebHost({ home: s.base, plugins: ['manager'], env: { DSH_TOOLS_MODE: mode } })
    const places = {
      'the workspace': { cwd: s.a, sees: [alpha, shared] },
      'a subfolder': { cwd: join(s.a, 'sub'), sees: [alpha, shared] },
      'a symlink': { cwd: join(s.base, 'link-to-a'), sees: [alpha, shared] },
      'the other workspace': { cwd: s.b, sees: [beta] },
      'no workspace': { cwd: join(s.base, 'elsewhere'), sees: [shared] },
    }
    for (const [place, { cwd, sees }] of Object.entries(places)) {
      const session = await openSession(host, cwd)
      const call = (name: string) => (mode === 'native' ? `call ${name} {}` : `call run_code ${program(name)}`)
      const { answer, offered } = await session.turn([alpha, beta, shared].map(call).join('\n'))
      if (mode === 'native') expect(offered.toSorted(), place).toEqual(sees.toSorted())
      for (const [tool, name] of [
        [alpha, 'alpha'],
        [beta, 'beta'],
        [shared, 'shared'],
      ] as const) {
        expect(answer.includes(`tool_1 of ${name}, pid`), `${tool} from ${place}`).toBe(sees.includes(tool))
      }
    }
  })
})

test('a fork sees the servers of its parent’s workspace, and no others', async () => {
  await using s = await scene()
  await using host = await startWebHost({
    home: s.base,
    plugins: ['manager', 'server'],
    env: { DSH_MCP_TEST_RECORD: 'full' },
  })
  const parent = await openSession(host, s.a)
  await parent.turn('')
  await using delegate = await delegateTo(s.base)
  const { sessionId, messageId } = await delegate.call('dsh_fork_session', {
    sessionId: parent.id,
    prompt: `call ${alpha} {}\ncall ${beta} {}\nsay forked`,
  })
  await delegate.call('dsh_wait_session', { sessionId, messageId })
  const requests = (await modelRequests(s.base)).filter((request) => request.sessionId === sessionId)
  expect(mcpTools(requests[0]).toSorted()).toEqual([alpha, shared])
  const told = JSON.stringify(requests.at(-1)?.messages)
  expect(told).toContain('tool_1 of alpha, pid')
  expect(told).not.toContain('tool_1 of beta, pid')
})

test('a switch, a hand edit, a broken file and a deleted file reach running sessions', async () => {
  await using s = await scene()
  await using host = await startWebHost({ home: s.base, plugins: ['manager'] })
  const session = await openSession(host, s.a)
  expect((await session.turn('')).offered.toSorted()).toEqual([alpha, shared])

  const sees = (what: string, expected: readonly string[]) =>
    eventually(what, async () => {
      const { offered } = await session.turn('')
      if (JSON.stringify(offered.toSorted()) === JSON.stringify([...expected].toSorted())) return true
      throw new Error(JSON.stringify(offered))
    })
  await declareWorkspace(s.a, { mcpServers: { alpha: smallServer('alpha') }, disabled: ['shared'] })
  await sees('the global server is hidden', [alpha])
  await declareWorkspace(s.a, { mcpServers: { alpha: smallServer('alpha') }, disabled: ['alpha'] })
  await sees('the local server is off', [shared])
  await declareWorkspace(s.a, { mcpServers: { alpha: smallServer('alpha'), gamma: smallServer('gamma') } })
  await sees('both local servers are on', [alpha, 'mcp__gamma__tool_1', shared])
  await rm(join(s.a, '.dsh'), { recursive: true })
  await sees('nothing local is left', [shared])
})
