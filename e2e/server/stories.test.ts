import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { delegateTo } from './delegate.ts'
import { useScene } from './scene.ts'

const scene = useScene('stories')
const { start, wait } = scene

/** A shell call that the sandbox makes ask for approval. */
const escalation = `call bash ${JSON.stringify({
  command: 'echo escalated',
  description: 'say something',
  sandbox_permissions: 'danger-full-access',
  justification: 'the test wants it',
})}`

test('a running turn is steered', async () => {
  const { sessionId, messageId } = await start('call bash {"command":"sleep 1","description":"wait"}\nsay done')
  const steered = await scene.agent.call('dsh_send_message', { sessionId, message: 'say steered', mode: 'steer' })
  expect(steered).toMatchObject({ mode: 'steer', state: 'running', resumed: false })
  const waited = await wait(sessionId, { messageId })
  expect(waited).toMatchObject({ reason: 'completed', reply: { text: 'steered' } })
  const { items } = await scene.agent.call('dsh_read_session', { sessionId })
  const turns = new Set(items.filter((item) => item.type === 'user').map((item) => item.turn))
  expect(turns.size).toBe(1)
})

test('a turn is interrupted and the session goes on', async () => {
  const { sessionId, messageId } = await start('say before\nhang')
  const queued = await scene.agent.call('dsh_send_message', { sessionId, message: 'say queued' })
  expect(await wait(sessionId, { messageId, timeoutSeconds: 0 })).toMatchObject({ timedOut: true, reason: 'timeout' })

  const stopped = await scene.agent.call('dsh_interrupt_session', { sessionId })
  expect(stopped).toMatchObject({ interrupted: true, discarded: 1, state: 'idle' })
  expect(await scene.agent.call('dsh_interrupt_session', { sessionId })).toMatchObject({
    interrupted: false,
    discarded: 0,
  })
  expect(await wait(sessionId, { messageId })).toMatchObject({
    reason: 'aborted',
    lastTurn: { outcome: 'aborted', cancelledBy: 'user' },
  })

  const again = await scene.agent.call('dsh_send_message', { sessionId, message: 'say after' })
  expect(await wait(sessionId, { messageId: again.messageId })).toMatchObject({
    reason: 'completed',
    reply: { text: 'after' },
  })
  // The reply of another message would read as the answer to this one.
  expect(await wait(sessionId, { messageId: queued.messageId })).toMatchObject({
    reason: 'discarded',
    lastTurn: null,
    reply: null,
  })
})

test('a wait that runs out tells of its own turn only, and what that has said so far', async () => {
  const { sessionId, messageId } = await start('say first')
  await wait(sessionId, { messageId })
  const sent = await scene.agent.call('dsh_send_message', {
    sessionId,
    message: 'say halfway\ncall bash {"command":"sleep 20","description":"wait"}',
  })
  await eventually('the second turn has said something', async () => {
    const { items } = await scene.agent.call('dsh_read_session', { sessionId })
    return items.some((item) => item.text === 'halfway')
  })
  for (const message of [{ messageId: sent.messageId }, {}]) {
    expect(await wait(sessionId, { ...message, timeoutSeconds: 0 })).toMatchObject({
      reason: 'timeout',
      lastTurn: null,
      reply: { text: 'halfway' },
    })
  }
  const queued = await scene.agent.call('dsh_send_message', { sessionId, message: 'say third' })
  expect(await wait(sessionId, { messageId: queued.messageId, timeoutSeconds: 0 })).toMatchObject({
    reason: 'timeout',
    lastTurn: null,
    reply: null,
  })
  await scene.agent.call('dsh_interrupt_session', { sessionId })
})

test('an approval is allowed and another rejected', async () => {
  const { sessionId, messageId } = await start(`${escalation}\n${escalation}`)
  const asked = await wait(sessionId, { messageId })
  expect(asked).toMatchObject({ reason: 'needs-input', state: 'needs-input' })
  const [first] = asked.interactions
  expect(first).toMatchObject({ kind: 'approval', sessionId, approval: { toolName: 'bash' } })
  expect(JSON.stringify(first)).toContain('echo escalated')
  expect(await scene.agent.call('dsh_list_interactions', { sessionId })).toMatchObject({ total: 1 })
  expect(await scene.agent.call('dsh_get_status')).toMatchObject({ counts: { needsInput: 1 } })

  const interactionId = first!.interactionId
  const wrong = await scene.agent.refused('dsh_answer_question', { interactionId, dismiss: true })
  expect(wrong.code).toBe('invalid_argument')
  expect(await scene.agent.call('dsh_answer_approval', { interactionId, decision: 'allow-once' })).toMatchObject({
    accepted: true,
    toolName: 'bash',
  })
  expect((await scene.agent.refused('dsh_answer_approval', { interactionId, decision: 'reject' })).code).toBe(
    'not_pending',
  )

  const askedAgain = await wait(sessionId, { messageId })
  expect(askedAgain.reason).toBe('needs-input')
  await scene.agent.call('dsh_answer_approval', {
    interactionId: askedAgain.interactions[0]!.interactionId,
    decision: 'reject',
    sessionId,
  })
  expect(await wait(sessionId, { messageId })).toMatchObject({ reason: 'completed', state: 'idle' })
  const { items } = await scene.agent.call('dsh_read_session', { sessionId, detail: 'tools' })
  const results = items.filter((item) => item.type === 'tool-result')
  expect(results).toMatchObject([{ tool: { name: 'bash', isError: false } }, { tool: { name: 'bash', isError: true } }])
  expect(results[0]!.text).toContain('escalated')
})

const question = `call ask_user_question ${JSON.stringify({
  questions: [
    {
      id: 'db',
      question: 'Which database?',
      header: 'Database',
      options: [
        { label: 'PostgreSQL', description: 'a server' },
        { label: 'SQLite', description: 'a file' },
      ],
    },
    {
      id: 'why',
      question: 'Why?',
      header: 'Reason',
      options: [
        { label: 'speed', description: 'fast' },
        { label: 'size', description: 'small' },
      ],
      multi_select: true,
    },
  ],
})}`

test('a question is answered wrongly, then rightly', async () => {
  const { sessionId, messageId } = await start(question)
  const asked = await wait(sessionId, { messageId })
  expect(asked.reason).toBe('needs-input')
  const [pending] = asked.interactions
  const { interactionId } = pending!
  const ids = pending!.question!.questions.map((each) => each.questionId)
  expect(ids).toHaveLength(2)
  const [db, why] = ids

  const missing = await scene.agent.refused('dsh_answer_question', {
    interactionId,
    answers: [{ questionId: db, selected: ['SQLite'] }],
  })
  expect(missing.code).toBe('bad_answer')
  const unknownLabel = await scene.agent.refused('dsh_answer_question', {
    interactionId,
    answers: [
      { questionId: db, selected: ['Oracle'] },
      { questionId: why, selected: ['speed'] },
    ],
  })
  expect(unknownLabel).toMatchObject({ code: 'bad_answer', message: expect.stringContaining('"PostgreSQL", "SQLite"') })

  // In another order than asked.
  const accepted = await scene.agent.call('dsh_answer_question', {
    interactionId,
    answers: [
      { questionId: why, selected: ['speed', 'size'] },
      { questionId: db, selected: [], text: 'a plain file' },
    ],
  })
  expect(accepted).toMatchObject({ accepted: true, dismissed: false })
  expect(await wait(sessionId, { messageId })).toMatchObject({ reason: 'completed' })
  const { items } = await scene.agent.call('dsh_read_session', { sessionId, detail: 'full' })
  expect(items.find((item) => item.type === 'question')).toBeDefined()
  expect(items.find((item) => item.type === 'tool-result')!.text).toContain('a plain file')
})

test('a question is dismissed', async () => {
  const { sessionId, messageId } = await start(question)
  const asked = await wait(sessionId, { messageId })
  const { interactionId } = asked.interactions[0]!
  expect(await scene.agent.call('dsh_answer_question', { interactionId, dismiss: true })).toMatchObject({
    dismissed: true,
  })
  expect((await wait(sessionId, { messageId })).reason).toBe('completed')
  expect((await scene.agent.refused('dsh_answer_question', { interactionId, dismiss: true })).code).toBe('not_pending')
})

test('a turn fails', async () => {
  const { sessionId, messageId } = await start('fail QUOTA no credit left')
  const waited = await wait(sessionId, { messageId })
  expect(waited).toMatchObject({
    reason: 'failed',
    lastTurn: { outcome: 'error', error: { code: 'QUOTA', message: expect.stringContaining('no credit left') } },
  })
  expect(waited['next']).toContain('QUOTA')
})

test('a session is forked at a turn and tried another way', async () => {
  const first = await start('say one')
  const { sessionId } = first
  await wait(sessionId, { messageId: first.messageId })
  const second = await scene.agent.call('dsh_send_message', { sessionId, message: 'say two' })
  await wait(sessionId, { messageId: second.messageId })

  const { lastTurn } = await wait(sessionId, { messageId: first.messageId })
  const { turn: atTurn } = lastTurn as { readonly turn: number }
  const fork = await scene.agent.call('dsh_fork_session', {
    sessionId,
    atTurn,
    prompt: 'say another',
    title: 'Other way',
  })
  await wait(fork.sessionId, { messageId: fork.messageId })
  const { items } = await scene.agent.call('dsh_read_session', { sessionId: fork.sessionId })
  expect(items.map((item) => item.text)).toEqual(['say one', 'one', 'say another', 'another'])
  const parent = await scene.agent.call('dsh_read_session', { sessionId })
  expect(parent.items.map((item) => item.text)).toEqual(['say one', 'one', 'say two', 'two'])
  expect(await scene.agent.call('dsh_get_session', { sessionId: fork.sessionId })).toMatchObject({
    parentSessionId: sessionId,
    title: 'Other way',
  })
  // What the parent did is not charged to the fork.
  expect(await scene.agent.call('dsh_get_usage', { sessionId })).toMatchObject({ totals: { turns: 2, steps: 2 } })
  expect(await scene.agent.call('dsh_get_usage', { sessionId: fork.sessionId })).toMatchObject({
    totals: { turns: 1, steps: 1 },
  })
  expect((await scene.agent.refused('dsh_fork_session', { sessionId, atTurn: 99 })).code).toBe('fork_unavailable')
})

test('changes and usage of a session that edited files', async () => {
  await writeFile(join(scene.project, 'notes.txt'), 'alpha\nbeta\ngamma\n')
  const path = join(scene.project, 'notes.txt')
  const { sessionId, messageId } = await start(
    [
      `call read ${JSON.stringify({ file_path: path })}`,
      `call edit ${JSON.stringify({ file_path: path, old_string: 'beta', new_string: 'BETA' })}`,
      `call write ${JSON.stringify({ file_path: join(scene.project, 'new.txt'), content: 'one\ntwo\n' })}`,
      'say edited',
    ].join('\n'),
  )
  expect(await wait(sessionId, { messageId })).toMatchObject({ reason: 'completed', reply: { text: 'edited' } })
  expect(await readFile(path, 'utf8')).toBe('alpha\nBETA\ngamma\n')
  const changes = await scene.agent.call('dsh_get_changes', { sessionId })
  expect(changes).toMatchObject({ totalFiles: 2, truncated: false })
  expect(changes['files']).toMatchObject([
    { path: join(scene.project, 'new.txt'), operations: ['write'], added: 2, removed: 0, diff: '@@\n+one\n+two' },
    { path, operations: ['edit'], added: 1, removed: 1, diff: '@@\n-beta\n+BETA' },
  ])
  expect(changes['deliverables']).toEqual([path, join(scene.project, 'new.txt')])
  const fork = await scene.agent.call('dsh_fork_session', { sessionId })
  expect(await scene.agent.call('dsh_get_changes', { sessionId: fork.sessionId })).toMatchObject({ totalFiles: 0 })
  const usage = await scene.agent.call('dsh_get_usage', { sessionId })
  expect(usage).toMatchObject({ totals: { turns: 1, steps: 4, tokens: { uncachedInput: 40, output: 20 } } })
})

test('two clients work on one session', async () => {
  await using other = await delegateTo(scene.home.path, 'other')
  const { sessionId, messageId } = await start('sleep 300\nsay first')
  const second = await other.call('dsh_send_message', { sessionId, message: 'say second' })
  const [a, b] = await Promise.all([
    wait(sessionId, { messageId, until: 'turn' }),
    other.call('dsh_wait_session', { sessionId, messageId: second.messageId }),
  ])
  expect(a.reply!.text).toBe('first')
  expect(b.reply!.text).toBe('second')
  const { items } = await other.call('dsh_read_session', { sessionId })
  expect(items.filter((item) => item.type === 'user').map((item) => item.source)).toEqual(['stories', 'other'])
})

test('a start repeated with its own id finds the session of the first and does not prompt again', async () => {
  const args = { cwd: scene.project, prompt: 'say once', sessionId: 'my-own-id' }
  const both = await Promise.all([
    scene.agent.call('dsh_start_session', args),
    scene.agent.call('dsh_start_session', args),
  ])
  expect(both.map((each) => each['created']).sort()).toEqual([false, true])
  expect(both[0].messageId).toBe(both[1].messageId)
  await wait('my-own-id', { messageId: both[0].messageId })
  expect(await scene.agent.call('dsh_start_session', args)).toMatchObject({
    created: false,
    messageId: both[0].messageId,
  })
  expect(await scene.agent.call('dsh_start_session', { ...args, prompt: 'say more' })).toMatchObject({
    created: false,
    messageId: null,
    note: expect.stringContaining('nothing was sent'),
  })
  const { items } = await scene.agent.call('dsh_read_session', { sessionId: 'my-own-id' })
  expect(items.filter((item) => item.type === 'user')).toHaveLength(1)
  const elsewhere = await scene.agent.refused('dsh_start_session', { ...args, cwd: scene.home.path })
  expect(elsewhere.code).toBe('invalid_argument')
})

test('what cannot be started says why', async () => {
  const refused = async (args: object) => (await scene.agent.refused('dsh_start_session', { ...args })).code
  expect(await refused({ cwd: join(scene.project, 'absent') })).toBe('directory_not_found')
  expect(await refused({ cwd: 'relative' })).toBe('invalid_argument')
  expect(await refused({})).toBe('invalid_argument')
  expect(await refused({ cwd: scene.project, agentPreset: 'nope' })).toBe('preset_not_found')
  expect(await refused({ cwd: scene.project, permissionPreset: 'nope' })).toBe('preset_not_found')
  expect(await refused({ cwd: scene.project, provider: 'nope', model: 'x' })).toBe('model_unavailable')
  expect(await refused({ cwd: scene.project, reasoningEffort: 'huge' })).toBe('model_unavailable')
  expect(await refused({ workspaceId: 'nope' })).toBe('workspace_not_found')
  const unknown = await scene.agent.refused('dsh_start_session', { cwd: scene.project, promt: 'typo' })
  expect(unknown).toMatchObject({
    code: 'invalid_argument',
    message: expect.stringContaining('unknown argument "promt"'),
  })
})

test('a directory behind a symlink is the directory it points to', async () => {
  await symlink(scene.project, join(scene.home.path, 'link'))
  const started = await scene.agent.call('dsh_start_session', { cwd: join(scene.home.path, 'link') })
  expect(started['cwd']).toBe(scene.project)
})
