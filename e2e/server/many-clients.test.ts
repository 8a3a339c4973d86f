import { realpath } from 'node:fs/promises'
import { startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { delegateTo, Refusal } from './delegate.ts'
import type { Delegate } from './delegate.ts'

/** What each client does, one after another, while the others do the same in another order. */
const moves: readonly ((agent: Delegate, sessionId: string, label: string) => Promise<unknown>)[] = [
  (agent, sessionId, label) => agent.call('dsh_send_message', { sessionId, message: `say ${label} queued` }),
  (agent, sessionId, label) =>
    agent.call('dsh_send_message', { sessionId, message: `stream 5 20 ${label}`, mode: 'steer' }),
  (agent, sessionId) => agent.call('dsh_interrupt_session', { sessionId, keepQueue: true }),
  (agent, sessionId) => agent.call('dsh_read_session', { sessionId, detail: 'full' }),
  (agent, sessionId, label) => agent.call('dsh_update_session', { sessionId, title: `Title by ${label}` }),
  (agent, sessionId) => agent.call('dsh_fork_session', { sessionId }),
  (agent, sessionId, label) => agent.call('dsh_send_message', { sessionId, message: `sleep 30\nsay ${label} again` }),
  (agent, sessionId) => agent.call('dsh_interrupt_session', { sessionId }),
  (agent, sessionId) => agent.call('dsh_wait_session', { sessionId, timeoutSeconds: 1 }),
]

test('four clients at once never corrupt a session, which goes on after a restart', async () => {
  await using home = await temporaryHome()
  const cwd = await realpath(home.path)
  const refusals: string[] = []
  let sessionId: string
  let before: readonly unknown[]
  {
    await using _host = await startWebHost({ home: home.path, plugins: ['server'] })
    const clients = await Promise.all([1, 2, 3, 4].map((index) => delegateTo(home.path, `client-${index}`)))
    const [first] = clients
    const starts = await Promise.all(
      clients.map((client) => client.call('dsh_start_session', { cwd, prompt: 'say start', sessionId: 'shared' })),
    )
    expect(starts.filter((start) => start['created'] === true)).toHaveLength(1)
    sessionId = 'shared'
    await first!.call('dsh_wait_session', { sessionId })
    await Promise.all(
      clients.map(async (client, index) => {
        for (let round = 0; round < 18; round++) {
          const move = moves[(round * (index + 1) + index) % moves.length]!
          await move(client, sessionId, `c${index}r${round}`).catch((error: unknown) => {
            if (!(error instanceof Refusal)) throw error
            refusals.push(error.code)
          })
        }
      }),
    )
    const last = await first!.call('dsh_send_message', { sessionId, message: 'say the end' })
    const waited = await first!.call('dsh_wait_session', { sessionId, messageId: last.messageId })
    expect(waited).toMatchObject({ state: 'idle', reason: 'completed', reply: { text: 'the end' } })
    const read = await first!.call('dsh_read_session', { sessionId, limit: 200, maxChars: 200_000 })
    before = read.items
    for (const client of clients) await client[Symbol.asyncDispose]()
  }
  // Work at the same time may be refused for what it is, never for a fault.
  expect(refusals.filter((code) => code !== 'fork_unavailable')).toEqual([])

  await using _again = await startWebHost({ home: home.path, plugins: ['server'] })
  await using agent = await delegateTo(home.path, 'after')
  const after = await agent.call('dsh_read_session', { sessionId, limit: 200, maxChars: 200_000 })
  expect(after.items).toEqual(before)
  const sent = await agent.call('dsh_send_message', { sessionId, message: 'say still here' })
  expect((await agent.call('dsh_wait_session', { sessionId, messageId: sent.messageId })).reply!.text).toBe(
    'still here',
  )
}, 120_000)
