import { PassThrough } from 'node:stream'
import { expect, expectTypeOf, test } from 'vitest'
import type { HarnessSdkRuntimePeer } from './index.ts'
import { clientPeer, isContentBlock, isSessionEvent, JsonRpcLineTransport, runtimePeer } from './index.ts'
import type { ContentBlock, SessionEvent, SessionQueryResult, SubagentStopReason, TextBlock } from './types/index.ts'

function connect() {
  const forth = new PassThrough()
  const back = new PassThrough()
  const clientEnd = new JsonRpcLineTransport(back, forth)
  const runtimeEnd = new JsonRpcLineTransport(forth, back)
  clientEnd.start()
  runtimeEnd.start()
  return { client: clientPeer(clientEnd), runtime: runtimePeer(runtimeEnd), clientEnd, runtimeEnd }
}

test('each method takes its own params and gives its own result', async () => {
  const { client, runtime } = connect()
  runtime.serve({
    'session/working-directory/set': ({ sessionId, path }) => ({ cwd: `/${sessionId}/${path}` }),
    'session/wait': async () => ({}),
    shutdown: () => ({}),
  })
  const { cwd } = await client.request('session/working-directory/set', { sessionId: 's', path: 'p' })
  expect(cwd).toBe('/s/p')
  await client.request('session/wait', { sessionId: 's' }, AbortSignal.timeout(10_000))
  await client.request('shutdown')
  await client.request('shutdown', undefined, { timeoutMs: 10_000 })
  const query = (): Promise<SessionQueryResult> =>
    client.request('session/query', { sessionId: 's', contentBlocks: [] })
  await expect(query()).rejects.toMatchObject({ code: -32601, message: 'method not found: session/query' })
  // @ts-expect-error a method that the runtime does not have
  await expect(client.request('toString', {})).rejects.toMatchObject({ code: -32601 })
  // @ts-expect-error params of another method
  await expect(client.request('session/resume', { path: 'p' })).rejects.toMatchObject({ code: -32601 })
  expectTypeOf<Parameters<HarnessSdkRuntimePeer['notify']>[0]>().toEqualTypeOf<
    | 'session.event'
    | 'session.status'
    | 'session.query.completed'
    | 'subagent.started'
    | 'subagent.finished'
    | 'user-question.cancelled'
  >()
})

test('notifications reach their handler, unknown ones the other, untouched', async () => {
  const { client, runtime, runtimeEnd } = connect()
  const seen: unknown[] = []
  client.listen({ 'session.status': ({ sessionId, status }) => seen.push([sessionId, status]) }, (method, params) =>
    seen.push([method, params]),
  )
  runtime.notify('session.status', { sessionId: 's', status: 'idle' })
  runtime.notify('subagent.started', { parentSessionId: 's', childSessionId: 'c' })
  runtimeEnd.notify('session.settled', { sessionId: 's', future: { deep: [1] } })
  runtimeEnd.notify('constructor', {})
  await runtime.request('approval/request', { sessionId: 's', toolName: 'bash' }).catch(() => undefined)
  expect(seen).toEqual([
    ['s', 'idle'],
    ['subagent.started', { parentSessionId: 's', childSessionId: 'c' }],
    ['session.settled', { sessionId: 's', future: { deep: [1] } }],
    ['constructor', {}],
  ])
})

test('words that this version does not know are values of their types, known ones narrow', () => {
  const events: SessionEvent[] = [
    { type: 'turn/end', seq: 1, time: 0, data: { turn: 1, reason: { kind: 'completed' } } },
    { type: 'turn/end', seq: 2, time: 0, data: { turn: 1, reason: { kind: 'x-plugin/paused', until: 5 } } },
    { type: 'x-plugin/event', seq: 3, time: 0, data: 'anything', ignorable: true },
  ]
  const blocks: ContentBlock[] = [
    { type: 'text', text: 'hello' },
    { type: 'x-plugin/chart', points: [1] },
  ]
  const reason: SubagentStopReason = 'x-plugin/stopped'
  const ends = events.filter((event) => isSessionEvent(event, 'turn/end'))
  expect(ends.map(({ data }) => data.reason.kind)).toEqual(['completed', 'x-plugin/paused'])
  const texts = blocks.filter((block) => isContentBlock(block, 'text'))
  expectTypeOf(texts).toEqualTypeOf<TextBlock[]>()
  expect(texts.map(({ text }) => text)).toEqual(['hello'])
  expect(reason).toBe('x-plugin/stopped')
})
