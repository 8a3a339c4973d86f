import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually, smallServer, startStandingHeadless, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { delegateTo, endpointOf, type Delegate } from '../server/delegate.ts'
import { declareGlobal, declareWorkspace, openSession } from '../workspaces/scene.ts'

/** Types a slash command in a session through the server plugin, and gives what it answered. */
const type = (delegate: Delegate, sessionId: string, command: string): Promise<string> =>
  delegate.text('dsh_run_command', { sessionId, command })

test('/mcp lists, logs, reconnects and switches servers of the session, in either language', async () => {
  await using home = await temporaryHome()
  const root = join(home.path, 'project')
  await mkdir(root)
  await declareGlobal(home.path, { small: smallServer('small'), off: { type: 'stdio', command: 'x', enabled: false } })
  await declareWorkspace(root, { mcpServers: { local: smallServer('local') } })
  await using host = await startWebHost({ home: home.path, plugins: ['manager', 'server'] })
  const session = await openSession(host, root)
  await session.turn('say hello')
  await using delegate = await delegateTo(home.path, 'command')
  const run = (line: string): Promise<string> => type(delegate, session.id, line)
  await eventually('both servers are connected', async () => {
    const text = await run('/mcp')
    return text.includes('small: connected, 1 tool') && text.includes('local: connected')
  })
  expect(await run('/mcp list')).toContain('off: disabled')
  expect(await run('/mcp 列表')).toContain('small: 已连接, 1 个工具')
  expect(await run('/mcp reconnect small')).toContain('small: connected')
  expect(await run('/mcp logs small')).toContain('initialize')
  expect(
    (await delegate.refused('dsh_run_command', { sessionId: session.id, command: '/mcp reconnect off' })).message,
  ).toContain('switched off')
  expect(
    (await delegate.refused('dsh_run_command', { sessionId: session.id, command: '/mcp reconnect none' })).message,
  ).toContain('Known: small')
  expect(
    (await delegate.refused('dsh_run_command', { sessionId: session.id, command: '/mcp nonsense' })).message,
  ).toContain('Usage')
  expect(await run('/mcp 停用 small')).toContain('已停用 small。')
  await run('/mcp disable local')
  const state = JSON.parse(await readFile(join(home.path, 'mcp-manager.json'), 'utf8')) as { servers: object[] }
  expect(state.servers).toMatchObject([{ name: 'small', enabled: false }, { name: 'off' }])
  expect(JSON.parse(await readFile(join(root, '.dsh', 'dshmm', 'mcp.json'), 'utf8'))).toMatchObject({
    disabled: ['local'],
  })
  expect(await run('/mcp')).toContain('local: disabled')
})

test('/mcp works in the headless profile too, where there is no page', async () => {
  await using home = await temporaryHome()
  const root = join(home.path, 'project')
  await mkdir(root)
  await declareGlobal(home.path, {
    small: smallServer('small'),
    broken: { type: 'stdio', command: 'no-such-program-xyz' },
  })
  const host = await startStandingHeadless({ home: home.path, plugins: ['manager', 'server'], cwd: root })
  try {
    await eventually('the endpoint is published', () => endpointOf(home.path))
    await using delegate = await eventually('the endpoint answers', () => delegateTo(home.path, 'headless'))
    const { sessionId } = await delegate.call('dsh_start_session', { cwd: root, prompt: 'say hello' })
    const run = (line: string): Promise<string> => type(delegate, sessionId, line)
    await eventually('the servers were tried', async () => {
      const text = await run('/mcp')
      return text.includes('small: connected, 1 tool') && /broken: error - .*no-such-program-xyz/.test(text)
    })
    await run('/mcp disable broken')
    expect(await run('/mcp')).toContain('broken: disabled')
  } finally {
    await host.stop()
  }
})
