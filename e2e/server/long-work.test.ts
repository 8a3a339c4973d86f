import { join } from 'node:path'
import { eventually } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { useScene } from './scene.ts'

const scene = useScene('long-work')
const { start, wait } = scene

test('a goal of several rounds is waited for to its end', async () => {
  const goal = JSON.stringify({ objective: 'count rounds', max_goal_rounds: 3 })
  const { sessionId, messageId, afterSeq } = await start(`call create_goal ${goal}\nsay a round`)
  const waited = await wait(sessionId, { messageId })
  expect(waited.state).toBe('idle')
  const session = await scene.agent.call('dsh_get_session', { sessionId })
  expect(session['goal']).toMatchObject({ objective: 'count rounds', roundsStarted: 3, maxGoalRounds: 3 })
  const { items } = await scene.agent.call('dsh_read_session', { sessionId, afterSeq, detail: 'full' })
  expect(items.filter((item) => item.type === 'turn-end')).toHaveLength(4)
})

test('a goal given as a command keeps the session busy until it is interrupted', async () => {
  const { sessionId } = await start('say ready')
  await wait(sessionId)
  const ran = await scene.agent.call('dsh_run_command', { sessionId, command: '/goal never ends' })
  expect(ran).toMatchObject({ ok: true, text: expect.stringContaining('never ends') })
  const waiting = await wait(sessionId, { timeoutSeconds: 1 })
  expect(waiting).toMatchObject({ timedOut: true, background: { goal: { phase: 'active', activation: 'armed' } } })

  const stopped = await scene.agent.call('dsh_interrupt_session', { sessionId, scope: 'all' })
  expect(stopped).toMatchObject({ goalPaused: true, state: 'idle' })
  expect((await wait(sessionId, { timeoutSeconds: 5 })).state).toBe('idle')
})

test('a background job is part of the work, and its end wakes the session again', async () => {
  const command = JSON.stringify({ command: 'sleep 2; echo finished', description: 'wait', run_in_background: true })
  const { sessionId, messageId } = await start(`call bash ${command}\nsay started`)
  const idle = await wait(sessionId, { messageId, until: 'idle' })
  expect(idle).toMatchObject({ reason: 'completed', reply: { text: 'started' }, state: 'background' })
  expect(idle['background']).toMatchObject({ jobs: [{ kind: 'bash', status: 'running' }] })

  const settled = await wait(sessionId, { afterSeq: idle.lastSeq })
  expect(settled).toMatchObject({ state: 'idle', reason: 'completed', background: { jobs: [] } })
  const { items } = await scene.agent.call('dsh_read_session', { sessionId, detail: 'full' })
  expect(items.filter((item) => item.type === 'turn-end')).toHaveLength(2)
})

test('a background job is stopped with everything else', async () => {
  const command = JSON.stringify({ command: 'sleep 600', description: 'wait', run_in_background: true })
  const { sessionId, messageId } = await start(`call bash ${command}\nsay started`)
  await wait(sessionId, { messageId, until: 'idle' })
  const onlyTurn = await scene.agent.call('dsh_interrupt_session', { sessionId })
  expect(onlyTurn).toMatchObject({ interrupted: false, jobsStopped: [], state: 'background' })
  const all = await scene.agent.call('dsh_interrupt_session', { sessionId, scope: 'all' })
  expect(all['jobsStopped']).toHaveLength(1)
  expect((await wait(sessionId)).state).toBe('idle')
})

test('a subagent works in the background, is seen, and takes no orders from outside', async () => {
  const child = JSON.stringify({
    description: 'child work',
    prompt: 'sleep 1500\nsay child done',
    run_in_background: true,
  })
  const { sessionId, messageId } = await start(`call subagent ${child}\nsay delegated`)
  const idle = await wait(sessionId, { messageId, until: 'turn' })
  expect(idle.reply!.text).toBe('delegated')
  const { subagents } = (await scene.agent.call('dsh_get_session', { sessionId })) as unknown as {
    subagents: readonly { readonly sessionId: string; readonly activity: string; readonly label: string }[]
  }
  expect(subagents).toMatchObject([{ activity: 'running', depth: 1 }])
  const childId = subagents[0]!.sessionId
  expect((await scene.agent.refused('dsh_send_message', { sessionId: childId, message: 'say no' })).code).toBe(
    'session_busy',
  )
  expect((await scene.agent.refused('dsh_interrupt_session', { sessionId: childId })).code).toBe('session_busy')

  const settled = await wait(sessionId, { messageId })
  expect(settled).toMatchObject({ state: 'idle', background: { subagents: [] } })
  const read = await scene.agent.call('dsh_read_session', { sessionId: childId })
  expect(read.items.at(-1)!.text).toBe('child done')
  const usage = (await scene.agent.call('dsh_get_usage', { sessionId })) as unknown as {
    sessions: { sessionId: string }[]
  }
  expect(usage.sessions.map((each) => each.sessionId)).toEqual([sessionId, childId])
  const listed = await scene.agent.call('dsh_list_sessions', { includeSubagents: true, limit: 100 })
  expect(listed.sessions.map((each) => each.sessionId)).toContain(childId)
})

test('slash commands run, fail and are unknown', async () => {
  const { sessionId, messageId } = await start('say hello')
  await wait(sessionId, { messageId })
  expect(await scene.agent.call('dsh_run_command', { sessionId, command: '/permission read-only' })).toMatchObject({
    ok: true,
  })
  expect(await scene.agent.call('dsh_get_session', { sessionId })).toMatchObject({ permissionPreset: 'read-only' })
  const unknown = await scene.agent.refused('dsh_run_command', { sessionId, command: '/nothing at all' })
  expect(unknown).toMatchObject({ code: 'command_unknown', message: expect.stringContaining('/compact') })
  const failed = await scene.agent.refused('dsh_run_command', { sessionId, command: '/goal pause' })
  expect(failed).toMatchObject({ code: 'command_failed', message: expect.stringContaining('No goal') })
  const sent = await scene.agent.call('dsh_send_message', { sessionId, message: '/goal as text' })
  expect(sent['note']).toContain('dsh_run_command')
})

test('the harness is killed in the middle of a turn, and the same session goes on after a restart', async () => {
  const { sessionId, messageId } = await start('say before\nhang', { title: 'Survivor' })
  await eventually('the turn runs', async () => {
    const { state } = await scene.agent.call('dsh_get_session', { sessionId })
    return state === 'running'
  })
  const queued = await scene.agent.call('dsh_send_message', { sessionId, message: 'say queued' })
  const before = await scene.agent.call('dsh_read_session', { sessionId, includePartial: false })
  await scene.crashAndRestart()
  expect(await wait(sessionId, { messageId })).toMatchObject({
    reason: 'stored',
    state: 'stored',
    lastTurn: { outcome: 'interrupted' },
    next: expect.stringContaining('middle of this turn'),
  })
  expect(await wait(sessionId, { messageId: queued.messageId })).toMatchObject({
    reason: 'stored',
    lastTurn: null,
    reply: null,
    next: expect.stringContaining('waits in the queue'),
  })
  expect((await scene.agent.refused('dsh_wait_session', { sessionId, messageId: 'absent' })).code).toBe(
    'invalid_argument',
  )
  const waiting = [{ messageId: queued.messageId, placement: 'queued', text: 'say queued' }]
  expect(await scene.agent.call('dsh_get_session', { sessionId })).toMatchObject({ state: 'stored', queue: waiting })
  const after = await scene.agent.call('dsh_read_session', { sessionId })
  expect(after.items.slice(0, before.items.length)).toEqual(before.items)
  expect(await scene.agent.call('dsh_get_session', { sessionId })).toMatchObject({ live: false, title: 'Survivor' })

  expect(await scene.agent.call('dsh_interrupt_session', { sessionId })).toMatchObject({
    interrupted: false,
    state: 'stored',
  })
  const resumed = await Promise.all([
    scene.agent.call('dsh_resume_session', { sessionId }),
    scene.agent.call('dsh_resume_session', { sessionId }),
  ])
  expect(resumed.map((each) => each.state)).toEqual(['idle', 'idle'])
  expect(await scene.agent.call('dsh_resume_session', { sessionId })).toMatchObject({ resumed: false })
  const sent = await scene.agent.call('dsh_send_message', { sessionId, message: 'say alive' })
  expect(await wait(sessionId, { messageId: sent.messageId })).toMatchObject({
    reason: 'completed',
    reply: { text: 'alive' },
  })
  expect(await wait(sessionId, { messageId: queued.messageId })).toMatchObject({
    reason: 'completed',
    reply: { text: 'queued' },
  })
})

test('a plan is reviewed as a question, sent back and approved', async () => {
  const { sessionId } = await start('say ready')
  await wait(sessionId)
  expect(await scene.agent.call('dsh_run_command', { sessionId, command: '/plan' })).toMatchObject({ ok: true })
  expect(await scene.agent.call('dsh_get_session', { sessionId })).toMatchObject({ planMode: true })
  const plan = `call exit_plan_mode ${JSON.stringify({ plan: '# The way\n1. Look\n2. Leap' })}`
  const sent = await scene.agent.call('dsh_send_message', { sessionId, message: `${plan}\n${plan}\nsay planned` })
  const first = await wait(sessionId, { messageId: sent.messageId })
  const [review] = first.interactions
  expect(review).toMatchObject({ kind: 'question', question: { intent: 'plan-review' } })
  expect(JSON.stringify(review)).toContain('2. Leap')
  const { questionId } = review!.question!.questions[0]!
  await scene.agent.call('dsh_answer_question', {
    interactionId: review!.interactionId,
    answers: [{ questionId, text: 'Look twice' }],
  })
  const second = await wait(sessionId, { messageId: sent.messageId })
  const again = second.interactions[0]!
  const labels = again.question!.questions[0]!.options.map((option) => option.label)
  await scene.agent.call('dsh_answer_question', {
    interactionId: again.interactionId,
    answers: [{ questionId: again.question!.questions[0]!.questionId, selected: [labels[0]] }],
  })
  expect(await wait(sessionId, { messageId: sent.messageId })).toMatchObject({
    reason: 'completed',
    reply: { text: 'planned' },
  })
  expect(await scene.agent.call('dsh_get_session', { sessionId })).toMatchObject({ planMode: false })
})

test('a conversation is compacted; what was said stays readable', async () => {
  const { sessionId } = await start(`say ${'long '.repeat(200)}`)
  await wait(sessionId)
  for (const word of ['two', 'three', 'four']) {
    const sent = await scene.agent.call('dsh_send_message', { sessionId, message: `say ${word}` })
    await wait(sessionId, { messageId: sent.messageId })
  }
  const before = await scene.agent.call('dsh_read_session', { sessionId })
  expect(await scene.agent.call('dsh_run_command', { sessionId, command: '/compact' })).toMatchObject({ ok: true })
  const after = await scene.agent.call('dsh_read_session', { sessionId })
  expect(after.items).toEqual(before.items)
})

test('a subagent that inherits the conversation is charged and credited only for its own work', async () => {
  const path = join(scene.project, 'parent.txt')
  const write = (file: string) => `call write ${JSON.stringify({ file_path: file, content: 'x\n' })}`
  const first = await start(`${write(path)}\nsay written`)
  const { sessionId } = first
  await wait(sessionId, { messageId: first.messageId })
  const childPath = join(scene.project, 'child.txt')
  const child = { description: 'child work', prompt: `${write(childPath)}\nsay child done`, run_in_background: false }
  const sent = await scene.agent.call('dsh_send_message', {
    sessionId,
    message: `call subagent_fork ${JSON.stringify(child)}\nsay delegated`,
  })
  await wait(sessionId, { messageId: sent.messageId })
  const changes = (await scene.agent.call('dsh_get_changes', { sessionId, includeDiffs: false })) as unknown as {
    files: readonly { readonly path: string; readonly sessionId: string }[]
  }
  const own = changes.files.filter((file) => file.sessionId === sessionId).map((file) => file.path)
  const inherited = changes.files.filter((file) => file.sessionId !== sessionId).map((file) => file.path)
  expect(own).toEqual([path])
  expect(inherited).toEqual([childPath])
})
