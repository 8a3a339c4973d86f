import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, test } from 'vitest'
import { tools as catalogue } from '../../packages/server/src/tools/index.ts'
import { endpointOf } from './delegate.ts'
import { useScene } from './scene.ts'

const scene = useScene('catalogue')
const names = catalogue.map((tool) => tool.name)

/** readOnly, destructive, idempotent, openWorld: what only reads is `ynyn` and not named here. */
const hints: Readonly<Record<string, string>> = {
  dsh_start_session: 'nnny',
  dsh_resume_session: 'nnyn',
  dsh_fork_session: 'nnny',
  dsh_send_message: 'nnny',
  dsh_interrupt_session: 'nyyn',
  dsh_update_session: 'nyyn',
  dsh_run_command: 'nyny',
  dsh_answer_approval: 'nyny',
  dsh_answer_question: 'nnny',
}

test('every tool is listed, complete and in the order of the catalogue', async () => {
  const { tools } = await scene.agent.client.listTools()
  expect(tools.map((tool) => tool.name)).toEqual(names)
  for (const tool of tools) {
    expect(tool.title).toMatch(/^[A-Z]/)
    expect(tool.description!.length).toBeGreaterThan(20)
    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(tool.outputSchema).toMatchObject({ type: 'object', required: expect.any(Array) })
    expect(JSON.stringify(tool.outputSchema)).not.toContain('"additionalProperties":false')
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations!
    const stated = [readOnlyHint, destructiveHint, idempotentHint, openWorldHint]
    expect([tool.name, stated.map((hint) => (hint === true ? 'y' : 'n')).join('')]).toEqual([
      tool.name,
      hints[tool.name] ?? 'ynyn',
    ])
  }
})

/** For each tool, arguments that must be refused and the code they are refused with. */
const refusals: readonly (readonly [tool: string, args: object, code: string])[] = [
  ['dsh_get_status', { verbose: true }, 'invalid_argument'],
  ['dsh_list_workspaces', { cursor: 'garbage' }, 'invalid_argument'],
  ['dsh_list_models', { provider: '' }, 'invalid_argument'],
  ['dsh_list_presets', { kind: 'other' }, 'invalid_argument'],
  ['dsh_list_tools', { sessionId: 'absent' }, 'session_not_found'],
  ['dsh_list_sessions', { limit: 1000 }, 'invalid_argument'],
  ['dsh_get_session', { sessionId: 'absent' }, 'session_not_found'],
  ['dsh_read_session', { sessionId: 'absent' }, 'session_not_found'],
  ['dsh_read_session', { sessionId: 'absent', afterSeq: 1, beforeSeq: 2 }, 'invalid_argument'],
  ['dsh_wait_session', { sessionId: 'absent' }, 'session_not_found'],
  ['dsh_start_session', { prompt: 'say hi' }, 'invalid_argument'],
  ['dsh_resume_session', { sessionId: 'absent' }, 'session_not_found'],
  ['dsh_fork_session', { sessionId: 'absent' }, 'session_not_found'],
  ['dsh_send_message', { sessionId: 'absent', message: 'hi' }, 'session_not_found'],
  ['dsh_send_message', { sessionId: '../etc', message: 'hi' }, 'invalid_argument'],
  ['dsh_interrupt_session', { sessionId: 'absent' }, 'session_not_found'],
  ['dsh_update_session', { sessionId: 'absent', title: 'x' }, 'session_not_found'],
  ['dsh_run_command', { sessionId: 'absent', command: '/goal' }, 'session_not_found'],
  ['dsh_run_command', { sessionId: 'absent', command: 'goal' }, 'invalid_argument'],
  ['dsh_list_interactions', { sessionId: 'absent' }, 'session_not_found'],
  ['dsh_answer_approval', { interactionId: 'absent', decision: 'reject' }, 'not_pending'],
  ['dsh_answer_question', { interactionId: 'absent', dismiss: true }, 'not_pending'],
  ['dsh_answer_question', { interactionId: 'absent' }, 'invalid_argument'],
  ['dsh_get_changes', { sessionId: 'absent' }, 'session_not_found'],
  ['dsh_get_usage', { sessionId: 'absent' }, 'session_not_found'],
]

test('the text of every refusal arrives through both generations of the official client', async () => {
  const { url, token } = await endpointOf(scene.home.path)
  const old = new Client1({ name: 'sdk 1', version: '1.0.0' })
  await old.connect(new Http1(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }))
  await old.listTools()
  try {
    for (const [tool, args, code] of refusals) {
      const refusal = await scene.agent.refused(tool, { ...args })
      expect([tool, refusal.code]).toEqual([tool, code])
      expect(refusal.message).toMatch(new RegExp(`^${code}: .+\\. .+`, 's'))
      const result = await old.callTool({ name: tool, arguments: { ...args } })
      expect(result.isError).toBe(true)
      expect(result.structuredContent).toBeUndefined()
      expect(result.content).toEqual([{ type: 'text', text: refusal.message }])
    }
  } finally {
    await old.close()
  }
})

test('a wrong argument is named, with those that are known', async () => {
  const refusal = await scene.agent.refused('dsh_read_session', { sessionId: 'a', detial: 'full', limit: 0 })
  expect(refusal.message).toContain('unknown argument "detial"')
  expect(refusal.message).toContain('limit:')
  expect(refusal.message).toContain('dsh_read_session takes: sessionId, afterSeq, beforeSeq, limit, detail')
})

test('an argument that is missing is named, with where its value comes from', async () => {
  const { message } = await scene.agent.refused('dsh_answer_approval', { decision: 'reject' })
  expect(message).toBe(
    'invalid_argument: "interactionId" is missing. dsh_answer_approval takes: interactionId, decision, sessionId. ' +
      'interactionId: From dsh_wait_session or dsh_list_interactions.',
  )
})

test.each([
  ['dsh_list_sessions', { query: 'nobody said this' }, 'dsh_start_session begins one'],
  ['dsh_list_models', { query: 'no-such-model' }, 'Leave provider and query out'],
  ['dsh_list_interactions', {}, 'dsh_wait_session returns when something does'],
] as const)('an empty list of %s says what to do next', async (name, args, words) => {
  expect(await scene.agent.text(name, args)).toContain(words)
})

test('sessions are listed, paged, filtered and searched; workspaces count them', async () => {
  const { workspace } = await scene.host.api<{ workspace: { workspaceId: string } }>('workspace.create', {
    path: scene.project,
  })
  const { workspaceId } = workspace
  const ids: string[] = []
  for (const [index, where] of [{ cwd: scene.project }, { workspaceId }, { cwd: scene.home.path }].entries()) {
    const started = await scene.agent.call('dsh_start_session', {
      ...where,
      title: `Session number ${index}`,
      prompt: `say the word is w${index}`,
    })
    await scene.agent.call('dsh_wait_session', { sessionId: started.sessionId })
    ids.unshift(started.sessionId)
  }
  const first = await scene.agent.call('dsh_list_sessions', { limit: 2 })
  expect(first).toMatchObject({ total: 3, search: null })
  const second = await scene.agent.call('dsh_list_sessions', { limit: 2, cursor: first.nextCursor })
  expect(second.nextCursor).toBeNull()
  expect([...first.sessions, ...second.sessions].map((session) => session.sessionId)).toEqual(ids)

  const of = async (filter: object) =>
    (await scene.agent.call('dsh_list_sessions', { ...filter })).sessions.map((session) => session.sessionId)
  expect(await of({ workspaceId })).toEqual(ids.slice(1))
  expect(await of({ cwd: scene.project })).toEqual(ids.slice(1))
  expect(await of({ query: 'NUMBER 2' })).toEqual([ids[0]])
  expect(await of({ query: 'word is w1', match: 'content' })).toEqual([ids[1]])
  expect(await of({ state: 'stored' })).toEqual([])
  expect(await of({ state: 'live' })).toEqual(ids)
  expect(await scene.agent.call('dsh_list_workspaces')).toMatchObject({
    source: 'registry',
    workspaces: [{ workspaceId, path: scene.project, sessionCount: 2, liveCount: 2, status: 'ok' }],
  })
})

test('a long transcript is paged in both directions without loss', async () => {
  const lines = Array.from(
    { length: 30 },
    (_, index) =>
      `call todo_write ${JSON.stringify({ todos: [{ content: `step ${index} 🙂`, status: 'in_progress' }] })}`,
  )
  const { sessionId, messageId } = await scene.agent.call('dsh_start_session', {
    cwd: scene.project,
    prompt: lines.join('\n'),
  })
  await scene.agent.call('dsh_wait_session', { sessionId, messageId })
  const all = await scene.agent.call('dsh_read_session', {
    sessionId,
    detail: 'tools',
    limit: 200,
    maxChars: 200_000,
    itemMaxChars: 50_000,
  })
  expect(all).toMatchObject({ hasMore: false, hasEarlier: false, truncated: false })
  expect(
    all.items.filter((item) => item.type === 'tool-result').every((item) => item.tool!.name === 'todo_write'),
  ).toBe(true)

  const forwards = []
  let afterSeq = -1
  for (;;) {
    const page = await scene.agent.call('dsh_read_session', {
      sessionId,
      detail: 'tools',
      limit: 7,
      afterSeq,
      itemMaxChars: 50_000,
    })
    forwards.push(...page.items)
    afterSeq = page.nextAfterSeq
    if (page['hasMore'] !== true) break
  }
  const backwards = []
  let beforeSeq: number | undefined
  for (;;) {
    const page = await scene.agent.call('dsh_read_session', {
      sessionId,
      detail: 'tools',
      limit: 7,
      beforeSeq,
      itemMaxChars: 50_000,
    })
    backwards.unshift(...page.items)
    beforeSeq = page.prevBeforeSeq
    if (page['hasEarlier'] !== true) break
  }
  expect(forwards).toEqual(all.items)
  expect(backwards).toEqual(all.items)
  expect(await scene.agent.call('dsh_get_session', { sessionId })).toMatchObject({
    todos: [{ content: 'step 29 🙂', status: 'in_progress' }],
  })
})

test('three resources are read as JSON, and wrong ones are refused with the specified codes', async () => {
  const { client } = scene.agent
  expect((await client.listResources()).resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
    ['dsh://status', 'application/json'],
    ['dsh://sessions', 'application/json'],
  ])
  expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
    { uriTemplate: 'dsh://session/{sessionId}', mimeType: 'application/json' },
  ])
  const read = async (uri: string) => {
    const { contents } = await client.readResource({ uri })
    expect(contents).toMatchObject([{ uri, mimeType: 'application/json' }])
    return JSON.parse((contents[0] as { readonly text: string }).text) as Record<string, unknown>
  }
  const { token } = await endpointOf(scene.home.path)
  const status = await read('dsh://status')
  expect(status).toMatchObject({ generatedAt: expect.any(String), plugin: { name: 'dsh-mcp-server' } })
  expect(JSON.stringify(status)).not.toContain(token)
  const { sessionId, messageId } = await scene.agent.call('dsh_start_session', {
    cwd: scene.project,
    prompt: 'say resource',
  })
  await scene.agent.call('dsh_wait_session', { sessionId, messageId })
  expect(await read('dsh://sessions')).toMatchObject({
    truncated: false,
    sessions: expect.arrayContaining([expect.objectContaining({ sessionId })]),
  })
  expect(await read(`dsh://session/${sessionId}`)).toMatchObject({
    session: { sessionId, state: 'idle' },
    transcript: { items: [{ type: 'user' }, { type: 'assistant', text: 'resource' }] },
  })

  const code = async (uri: string) => {
    const { url } = await endpointOf(scene.home.path)
    const body = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } }
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    return ((await response.json()) as { error: { code: number } }).error.code
  }
  expect(await code('dsh://other')).toBe(-32002)
  expect(await code('dsh://session/absent')).toBe(-32002)
  expect(await code('dsh://session/..%2F..')).toBe(-32602)
  expect(await code('dsh://session/%zz')).toBe(-32602)
})

test('the instructions teach the workflow in under 2000 characters', () => {
  const instructions = scene.agent.client.getInstructions()!
  expect(instructions.length).toBeLessThan(2000)
  for (const name of instructions.match(/dsh_[a-z_]+/g)!) expect(names).toContain(name)
  for (const name of ['dsh_start_session', 'dsh_wait_session', 'dsh_answer_approval', 'dsh_answer_question']) {
    expect(instructions).toContain(name)
  }
})
