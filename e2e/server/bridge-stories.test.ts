import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { eventually, nodeBinary, pluginFolder, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { delegateOver } from './delegate.ts'

function bridge(home: string): StdioClientTransport {
  return new StdioClientTransport({
    command: nodeBinary,
    args: [join(pluginFolder('server'), 'bin', 'dsh-mcp-stdio.mjs')],
    env: { DSH_HOME: home },
    stderr: 'pipe',
  })
}

test('over the bridge a task is delegated, waited for, read and followed up', async () => {
  await using home = await temporaryHome()
  await using _host = await startWebHost({ home: home.path, plugins: ['server'] })
  await using agent = await delegateOver(bridge(home.path), 'bridge')
  const cwd = await realpath(home.path)
  const { sessionId, messageId } = await agent.call('dsh_start_session', { cwd, prompt: 'say over the bridge' })
  expect(await agent.call('dsh_wait_session', { sessionId, messageId })).toMatchObject({
    reason: 'completed',
    reply: { text: 'over the bridge' },
  })
  const sent = await agent.call('dsh_send_message', { sessionId, message: 'say and back' })
  await agent.call('dsh_wait_session', { sessionId, messageId: sent.messageId })
  const { items } = await agent.call('dsh_read_session', { sessionId })
  expect(items.map((item) => item.text)).toEqual(['say over the bridge', 'over the bridge', 'say and back', 'and back'])
  expect((await agent.refused('dsh_get_session', { sessionId: 'absent' })).message).toContain('session_not_found')
})

test('over the same bridge a session goes on after the harness was killed and started again', async () => {
  await using home = await temporaryHome()
  const cwd = await realpath(home.path)
  const first = await startWebHost({ home: home.path, plugins: ['server'] })
  await using agent = await delegateOver(bridge(home.path), 'bridge')
  const { sessionId, messageId } = await agent.call('dsh_start_session', { cwd, prompt: 'say before\nhang' })
  await eventually(
    'the turn runs',
    async () => (await agent.call('dsh_get_session', { sessionId })).state === 'running',
  )
  await first.kill()

  await using _second = await startWebHost({ home: home.path, plugins: ['server'] })
  expect(await agent.call('dsh_wait_session', { sessionId, messageId })).toMatchObject({
    reason: 'stored',
    lastTurn: { outcome: 'interrupted' },
  })
  const sent = await agent.call('dsh_send_message', { sessionId, message: 'say after' })
  expect(await agent.call('dsh_wait_session', { sessionId, messageId: sent.messageId })).toMatchObject({
    reply: { text: 'after' },
  })
})
