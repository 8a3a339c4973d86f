import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '@dsh-mcp/testkit'
import { delegateTo, type Delegate } from '../../server/delegate.ts'
import type { Fault } from '../fault.ts'
import { killHost } from '../kill-host.ts'
import { DataLost, type Scene } from '../scene.ts'

let count = 0

/** Starts a session through the MCP endpoint. */
async function startSession(scene: Scene, agent: Delegate, prompt: string): Promise<string> {
  const cwd = join(scene.home, 'delegated')
  await mkdir(cwd, { recursive: true })
  const sessionId = `kept-${++count}`
  await agent.call('dsh_start_session', { cwd, prompt, sessionId })
  return sessionId
}

async function itemsOf(scene: Scene, sessionId: string): Promise<readonly string[]> {
  await using agent = await delegateTo(scene.home, 'faults')
  const { items } = await agent.call('dsh_read_session', { sessionId, limit: 200, maxChars: 100_000 })
  return items.map((item) => JSON.stringify(item))
}

/** What was in a session is there, it is listed, nothing runs in it, and it takes and answers a further message. */
async function requireSession(scene: Scene, sessionId: string, before: readonly string[]): Promise<void> {
  const now = new Set(await itemsOf(scene, sessionId))
  const lost = before.filter((item) => !now.has(item))
  if (lost.length > 0) throw new DataLost(`${lost.length} of ${before.length} items of a session are gone: ${lost[0]}`)
  await using agent = await delegateTo(scene.home, 'faults')
  const { sessions } = await agent.call('dsh_list_sessions', { limit: 100 })
  const listed = sessions.find((one) => one.sessionId === sessionId)
  if (listed === undefined) throw new DataLost('a session is not listed any more')
  if (listed.state === 'running') throw new Error('a session is said to run, and its harness was killed')
  const sent = await agent.call('dsh_send_message', { sessionId, message: 'say here again' })
  const { reply } = await agent.call('dsh_wait_session', { sessionId, messageId: sent.messageId })
  if (reply?.text !== 'here again') throw new Error(`the session answered ${JSON.stringify(reply)}`)
}

const killedWithSessions: Fault = {
  fault: 'kill -9 of the harness that works for MCP clients',
  points: [
    {
      point: 'after a turn',
      long: true,
      async inject(scene) {
        await using agent = await delegateTo(scene.home, 'faults')
        const sessionId = await startSession(scene, agent, 'think a little\nsay done')
        await agent.call('dsh_wait_session', { sessionId })
        const before = await itemsOf(scene, sessionId)
        await killHost(scene)
        await requireSession(scene, sessionId, before)
      },
    },
    {
      point: 'during a turn that a client waits for',
      async inject(scene) {
        await using agent = await delegateTo(scene.home, 'faults')
        const sessionId = await startSession(scene, agent, 'say one')
        await agent.call('dsh_wait_session', { sessionId })
        const before = await itemsOf(scene, sessionId)
        await agent.call('dsh_send_message', { sessionId, message: 'stream 600 20 tick' })
        await eventually('it runs', async () => {
          const { state } = await agent.call('dsh_get_session', { sessionId })
          return state === 'running'
        })
        const waiting = agent.text('dsh_wait_session', { sessionId, timeoutSeconds: 60 }).then(
          () => 'answered',
          () => 'broken off',
        )
        await sleep(100)
        await killHost(scene)
        const ended = await waiting
        if (ended !== 'broken off') throw new Error(`the wait of a killed harness was ${ended}`)
        await requireSession(scene, sessionId, before)
      },
    },
  ],
}

/** Sessions that clients have begun. */
export const sessions: readonly Fault[] = [killedWithSessions]
