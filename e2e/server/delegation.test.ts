import { startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import type { TemporaryHome, WebHost } from '@dsh-mcp/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { delegateTo } from './delegate.ts'
import type { Delegate } from './delegate.ts'

let home: TemporaryHome
let host: WebHost
let agent: Delegate

beforeAll(async () => {
  home = await temporaryHome()
  host = await startWebHost({ home: home.path, plugins: ['server'] })
  agent = await delegateTo(home.path, 'delegation')
}, 120_000)

afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await host.stop()
  await home[Symbol.asyncDispose]()
})

test('a task is delegated, waited for, read and followed up', async () => {
  const started = await agent.call('dsh_start_session', {
    cwd: home.path,
    prompt: 'say The answer is 42.',
    title: 'The question',
  })
  expect(started).toMatchObject({ created: true, cwd: home.path, model: { provider: 'scripted', model: 'scripted' } })
  const { sessionId, messageId, afterSeq } = started

  const waited = await agent.call('dsh_wait_session', { sessionId, messageId })
  expect(waited).toMatchObject({
    state: 'idle',
    reason: 'completed',
    timedOut: false,
    lastTurn: { outcome: 'completed' },
    reply: { text: 'The answer is 42.', truncated: false },
    interactions: [],
  })

  const read = await agent.call('dsh_read_session', { sessionId, afterSeq })
  expect(read.items.map(({ type, text, source }) => ({ type, text, source }))).toEqual([
    { type: 'user', text: 'say The answer is 42.', source: 'delegation' },
    { type: 'assistant', text: 'The answer is 42.', source: undefined },
  ])
  expect(read).toMatchObject({ hasMore: false, state: 'idle', partial: null, truncated: false })

  const listed = await agent.call('dsh_list_sessions', {})
  expect(listed.sessions).toEqual([expect.objectContaining({ sessionId, title: 'The question', live: true })])
  expect(await agent.call('dsh_get_status')).toMatchObject({ counts: { live: 1, running: 0, needsInput: 0 } })
})
