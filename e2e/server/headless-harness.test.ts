import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually, startStandingHeadless, temporaryHome } from '@dsh-mcp/testkit'
import type { Child, TemporaryHome } from '@dsh-mcp/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tools as catalogue } from '../../packages/server/src/tools/index.ts'
import { delegateTo, endpointOf } from './delegate.ts'
import type { Delegate } from './delegate.ts'

/** The headless profile gives its agents no tool to ask with. */
const askTool = JSON.stringify([{ insert: [{ id: 'ask-user', name: '@deepseek-ai/dsh-tool-ask-user' }] }])

let home: TemporaryHome
let host: Child
let agent: Delegate
let project: string

beforeAll(async () => {
  home = await temporaryHome()
  project = join(await realpath(home.path), 'project')
  await mkdir(project)
  host = await startStandingHeadless({ home: home.path, plugins: ['server'], patches: [askTool], cwd: project })
  await eventually('the endpoint is published', () => endpointOf(home.path))
  agent = await eventually('the endpoint answers', () => delegateTo(home.path, 'headless'))
}, 120_000)

afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await host.stop()
  await home[Symbol.asyncDispose]()
})

const start = (prompt: string, more = {}) => agent.call('dsh_start_session', { cwd: project, prompt, ...more })
const wait = (sessionId: string, more = {}) => agent.call('dsh_wait_session', { sessionId, ...more })

test('all tools are there, and what the profile lacks is said', async () => {
  const { tools } = await agent.client.listTools()
  expect(tools).toHaveLength(catalogue.length)
  const status = await agent.call('dsh_get_status')
  expect(status).toMatchObject({
    profile: 'headless',
    decisions: 'waterfall',
    services: { apiProxy: false, agentPresets: false, workspaceRegistry: false, agents: true },
  })
  expect(await agent.call('dsh_list_presets')).toMatchObject({
    agentPresets: [],
    notes: [expect.stringContaining('agentPresets')],
  })

  const { sessionId, messageId } = await start('say hi')
  await wait(sessionId, { messageId })
  expect(await agent.call('dsh_list_workspaces')).toMatchObject({
    source: 'cwd',
    workspaces: [{ path: project, workspaceId: null }],
  })
  const archive = await agent.refused('dsh_update_session', { sessionId, archived: true })
  expect(archive).toMatchObject({
    code: 'service_unavailable',
    message: expect.stringMatching(/workspaceRegistry.*web profile/s),
  })
  expect((await agent.refused('dsh_start_session', { workspaceId: 'x' })).code).toBe('service_unavailable')
  expect((await agent.refused('dsh_start_session', { cwd: project, agentPreset: 'x' })).code).toBe('preset_not_found')
})

test("an approval of a client's own session is answered through the waterfall; the headless task is left alone", async () => {
  const call = JSON.stringify({
    command: 'echo escalated',
    description: 'escalate',
    sandbox_permissions: 'danger-full-access',
    justification: 'the test wants it',
  })
  const { sessionId, messageId } = await start(`call bash ${call}\ncall bash ${call}\nsay done`)
  const asked = await wait(sessionId, { messageId })
  expect(asked).toMatchObject({
    reason: 'needs-input',
    interactions: [{ kind: 'approval', approval: { toolName: 'bash' } }],
  })
  const { interactionId } = asked.interactions[0]!
  await agent.call('dsh_answer_approval', { interactionId, decision: 'allow-once' })
  expect((await agent.refused('dsh_answer_approval', { interactionId, decision: 'allow-once' })).code).toBe(
    'not_pending',
  )
  const again = await wait(sessionId, { messageId })
  await agent.call('dsh_interrupt_session', { sessionId })
  expect(again.reason).toBe('needs-input')
  const after = await agent.call('dsh_list_interactions')
  expect(after['total']).toBe(0)
})

test('a question is answered on the free seat', async () => {
  const ask = JSON.stringify({
    questions: [
      {
        id: 'q',
        question: 'Which?',
        header: 'Choice',
        options: [
          { label: 'a', description: 'A' },
          { label: 'b', description: 'B' },
        ],
      },
    ],
  })
  const { sessionId, messageId } = await start(`call ask_user_question ${ask}`)
  const asked = await wait(sessionId, { messageId })
  const { interactionId, question } = asked.interactions[0]!
  const { questionId } = question!.questions[0]!
  await agent.call('dsh_answer_question', { interactionId, answers: [{ questionId, selected: ['b'] }] })
  expect(await wait(sessionId, { messageId })).toMatchObject({
    reason: 'completed',
    reply: { text: expect.stringContaining('selected\\":[\\"b') },
  })
  const second = await start(`call ask_user_question ${ask}`)
  const again = await wait(second.sessionId, { messageId: second.messageId })
  await agent.call('dsh_answer_question', { interactionId: again.interactions[0]!.interactionId, dismiss: true })
  expect((await wait(second.sessionId, { messageId: second.messageId })).reason).toBe('completed')
})

test('the model of one session changes without the gateway', async () => {
  const { sessionId, messageId } = await start('say one')
  await wait(sessionId, { messageId })
  const vision = { provider: 'scripted', model: 'scripted-vision' }
  expect(await agent.call('dsh_update_session', { sessionId, ...vision })).toMatchObject({ model: vision })
  const sent = await agent.call('dsh_send_message', { sessionId, message: 'say two' })
  await wait(sessionId, { messageId: sent.messageId })
  expect(await agent.call('dsh_get_session', { sessionId })).toMatchObject({ model: vision })
  const other = await start('say three')
  await wait(other.sessionId)
  expect(await agent.call('dsh_get_session', { sessionId: other.sessionId })).toMatchObject({
    model: { model: 'scripted' },
  })
})
