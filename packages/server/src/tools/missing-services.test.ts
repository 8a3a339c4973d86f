import type { HostServiceContext } from '@dsh-mcp/host'
import { expect, test } from 'vitest'
import type { CallContext } from '../gateway/index.ts'
import { openHarness } from '../harness/index.ts'
import { createToolSet, tools } from './index.ts'

/** A host that mounts nothing but these services; each imitates the shape of DSH 0.1.0-rc.8. */
async function toolSetOn(services: Readonly<Record<string, unknown>>) {
  const ctx = {
    get: (name: string) => services[name],
    on: () => () => {},
    effect: () => {},
    get root() {
      return ctx
    },
  } as unknown as HostServiceContext
  const policy = { allowedRoots: [], maxPermissionPreset: 'danger-full-access', allowApprovals: true }
  const about = { name: 'dsh-mcp-server', version: '0', endpoint: () => null, limits: {} }
  return createToolSet(tools, await openHarness(ctx, policy), about)
}

const context = { caller: { admittedBy: 'token' }, signal: new AbortController().signal } as unknown as CallContext

const header = { id: 'stored', createdAt: 0, cwd: '/' }
const turn = [
  { type: 'turn/start', seq: 0, time: 0, data: { turn: 1 } },
  { type: 'turn/end', seq: 1, time: 1, data: { turn: 1, reason: { kind: 'completed' } } },
]
/** A store with one session, and nothing that could run it. */
const storeOnly = {
  sessions: { get: () => undefined, list: () => [], flush: async () => true },
  sessionPersistence: { list: async () => [header], inspect: async () => ({ meta: header, events: turn }) },
}

async function outcome(services: Readonly<Record<string, unknown>>, name: string, args: object): Promise<string> {
  const result = await (await toolSetOn(services)).call(name, { ...args }, context)
  if (!('content' in result)) throw new Error('no result')
  if (result.isError !== true) return 'ok'
  const { code, details } = result._meta!['dsh-mcp/error'] as { code: string; details?: { service?: string } }
  const [block] = result.content
  expect(block).toMatchObject({ type: 'text' })
  if (code === 'service_unavailable') {
    const { text } = block as { text: string }
    expect(text).toContain(`"${details!.service}" is not mounted`)
    expect(text).toMatch(/@deepseek-ai\/[a-z-]+, mounted by the (web profile|web and headless profiles)/)
  }
  return details?.service === undefined ? code : `${code} ${details.service}`
}

const sessionId = 'some'
/** For each tool, arguments and what it answers where nothing is mounted. A new tool is one more row. */
const onBareHost: Readonly<Record<string, readonly [args: object, outcome: string]>> = {
  dsh_get_status: [{}, 'ok'],
  dsh_list_workspaces: [{}, 'service_unavailable sessions'],
  dsh_list_models: [{}, 'service_unavailable llm'],
  dsh_list_presets: [{}, 'service_unavailable agentPresets'],
  dsh_list_tools: [{}, 'service_unavailable tools'],
  dsh_list_sessions: [{}, 'service_unavailable sessions'],
  dsh_get_session: [{ sessionId }, 'service_unavailable sessionQuery'],
  dsh_read_session: [{ sessionId }, 'service_unavailable sessionQuery'],
  dsh_wait_session: [{ sessionId }, 'service_unavailable sessionQuery'],
  dsh_start_session: [{ cwd: '/' }, 'service_unavailable agentDefaultModel'],
  dsh_resume_session: [{ sessionId }, 'service_unavailable sessionQuery'],
  dsh_fork_session: [{ sessionId }, 'service_unavailable sessionQuery'],
  dsh_send_message: [{ sessionId, message: 'x' }, 'service_unavailable sessionQuery'],
  dsh_interrupt_session: [{ sessionId }, 'service_unavailable sessionQuery'],
  dsh_update_session: [{ sessionId, title: 'x' }, 'service_unavailable sessionQuery'],
  dsh_run_command: [{ sessionId, command: '/x' }, 'service_unavailable commands'],
  dsh_list_interactions: [{}, 'service_unavailable approval'],
  dsh_answer_approval: [{ interactionId: 'x', decision: 'reject' }, 'service_unavailable approval'],
  dsh_answer_question: [{ interactionId: 'x', dismiss: true }, 'service_unavailable userQuestions'],
  dsh_get_changes: [{ sessionId }, 'service_unavailable sessionQuery'],
  dsh_get_usage: [{ sessionId }, 'service_unavailable sessions'],
}

test('on a host without any service every tool answers, and says which service it lacks', async () => {
  expect(Object.keys(onBareHost), 'each tool of catalogue.ts has a row in onBareHost').toEqual(
    tools.map((tool) => tool.name),
  )
  for (const [name, [args, expected]] of Object.entries(onBareHost)) {
    expect([name, await outcome({}, name, args)]).toEqual([name, expected])
  }
})

test('a store alone is read; what would have to run the session says that nothing can', async () => {
  const sessionId = 'stored'
  for (const [name, args] of [
    ['dsh_list_sessions', {}],
    ['dsh_list_workspaces', {}],
    ['dsh_get_session', { sessionId }],
    ['dsh_read_session', { sessionId }],
    ['dsh_wait_session', { sessionId }],
    ['dsh_interrupt_session', { sessionId }],
    ['dsh_get_changes', { sessionId }],
    ['dsh_get_usage', { sessionId }],
  ] as const) {
    expect([name, await outcome(storeOnly, name, args)]).toEqual([name, 'ok'])
  }
  expect(await outcome(storeOnly, 'dsh_send_message', { sessionId, message: 'x' })).toBe('service_unavailable agents')
  expect(await outcome(storeOnly, 'dsh_resume_session', { sessionId })).toBe('service_unavailable agents')
  expect(await outcome(storeOnly, 'dsh_update_session', { sessionId, archived: true })).toBe(
    'service_unavailable workspaceRegistry',
  )
  expect(await outcome(storeOnly, 'dsh_fork_session', { sessionId })).toBe('service_unavailable agentDefaultModel')
})

test('a list of several things tells those it can, and what is missing for the rest', async () => {
  const tools = { schemas: () => [{ name: 'bash', description: 'Runs a command', parameters: {} }] }
  const set = await toolSetOn({ tools, sessions: { list: () => [] }, agents: { list: () => [] } })
  const listed = await set.call('dsh_list_tools', {}, context)
  expect(listed).toMatchObject({
    structuredContent: {
      tools: [{ name: 'bash' }],
      notes: [
        expect.any(String),
        expect.stringMatching(/"commands" is not mounted\. .*dsh-commands, mounted by/),
        expect.stringMatching(/"skills" is not mounted\. .*dsh-skill, mounted by/),
      ],
    },
  })
  expect(await set.call('dsh_list_tools', { include: ['skills'] }, context)).toMatchObject({ isError: true })
})
