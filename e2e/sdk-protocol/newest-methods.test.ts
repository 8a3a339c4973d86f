import { hostEnvironment, nodeBinary } from '@dsh-mcp/testkit'
import {
  promptInput,
  QueryCompletions,
  type ApprovalRequestResult,
  type InitializeParams,
  type SdkUserQuestionResult,
} from '@dsh-mcp/sdk-protocol'
import { describe, expect, test } from 'vitest'
import { connect, lastText, type Connection } from './connect.ts'
import { newestRuntime } from './programs.ts'

async function withRuntime(
  use: (connection: Connection) => Promise<void>,
  capabilities: Partial<InitializeParams> = { approvalRequests: true, capabilities: { userQuestions: true } },
): Promise<void> {
  await using connection = connect(nodeBinary, [newestRuntime], hostEnvironment('/nowhere'))
  await connection.runtime.request('initialize', { cwd: '/home/me', provider: 'p', model: 'm', ...capabilities })
  await use(connection)
}

/** A full turn of the event loop, in which what was answered is written. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const query = (connection: Connection, text: string) =>
  connection.runtime.request('session/query', { sessionId: 's', contentBlocks: promptInput(text) })

describe('session/query', () => {
  test('queues ordinary input and gives its receipt', async () => {
    await withRuntime(async (connection) => {
      const result = await query(connection, 'hello')
      expect(result).toMatchObject({ kind: 'prompt', messageId: expect.any(String) })
      await connection.runtime.request('session/wait', { sessionId: 's' })
      const events = connection.notifications.map(({ params }) => params.event).filter((event) => event !== undefined)
      expect(lastText(events as never)).toBe('hello')
    })
  })

  test.each([
    ['/status', '', undefined],
    ['/goal reach it', 'reach it', 'completed'],
  ])(
    '%s: its life cycle comes before its answer, its completion ends it',
    async (text, finalResponse, finishReason) => {
      await withRuntime(async (connection) => {
        const completions = new QueryCompletions()
        connection.runtime.listen(
          { 'session.query.completed': (completion) => completions.add(completion) },
          (method, params) => connection.notifications.push({ method, params }),
        )
        const result = await query(connection, text)
        if (result.kind !== 'command') throw new Error('not a command')
        const types = connection.notifications.map(({ params }) => (params.event as { type: string } | undefined)?.type)
        expect(types.slice(0, 2)).toEqual(['command/run', 'command/done'])
        expect(result.execution.result).toEqual({ kind: 'success', text: 'done' })
        const completion = await completions.of('s', result.execution.commandId)
        const { commandId } = result.execution
        expect(completion).toEqual({ sessionId: 's', commandId, finalResponse, finishReason })
      })
    },
  )

  test('refuses a command with other content before anything runs', async () => {
    await withRuntime(async ({ runtime, notifications }) => {
      const contentBlocks = [...promptInput('/goal x'), ...promptInput('more')]
      await expect(runtime.request('session/query', { sessionId: 's', contentBlocks })).rejects.toMatchObject({
        code: -32603,
        message: 'a command takes exactly one text block, not 2',
      })
      expect(notifications).toEqual([])
    })
  })
})

test('session/wait answers after everything that was notified while it waited', async () => {
  await withRuntime(async ({ runtime, notifications }) => {
    await runtime.request('session/prompt', { sessionId: 's', contentBlocks: promptInput('ask') })
    runtime.serve({ 'user-question/ask': () => ({ cancelled: true }) })
    await runtime.request('session/wait', { sessionId: 's' })
    expect(notifications.at(-1)).toEqual({ method: 'session.status', params: { sessionId: 's', status: 'idle' } })
    await expect(runtime.request('session/wait', { sessionId: 'nobody' })).rejects.toThrow(
      'unknown SDK session: nobody',
    )
  })
})

test('working directories and stored sessions', async () => {
  await withRuntime(async ({ runtime }) => {
    await runtime.request('session/resume', { sessionId: 'stored' })
    await expect(runtime.request('session/resume', { sessionId: 'other' })).rejects.toThrow('no stored session "other"')
    const sessionId = 'stored'
    expect(await runtime.request('session/working-directory/get', { sessionId })).toEqual({ cwd: '/home/me' })
    const set = runtime.request('session/working-directory/set', { sessionId, path: 'sub' })
    expect(await set).toEqual({ cwd: '/home/me/sub' })
    expect(await runtime.request('session/working-directory/get', { sessionId })).toEqual({ cwd: '/home/me/sub' })
  })
})

describe('approval/request', () => {
  const answers: [string, () => unknown, string][] = [
    ['allowed-once', () => ({ outcome: 'allowed-once' }), 'allowed-once'],
    ['rejected', () => ({ outcome: 'rejected' }), 'rejected'],
    ['cancelled', () => ({ outcome: 'cancelled' }), 'cancelled'],
    ['a word that does not exist', () => ({ outcome: 'allowed-always' }), 'rejected'],
    ['nothing', () => undefined, 'rejected'],
    ['an error', () => Promise.reject(new Error('no')), 'rejected'],
  ]
  test.each(answers)('answered with %s', async (_name, answer, outcome) => {
    await withRuntime(async ({ runtime, run }) => {
      runtime.serve({ 'approval/request': () => answer() as ApprovalRequestResult })
      expect(lastText(await run('s', 'approve'))).toBe(`approval: ${outcome}`)
    })
  })

  test('a client without a handler denies, one that did not enable it is not asked', async () => {
    await withRuntime(async ({ run }) => expect(lastText(await run('s', 'approve'))).toBe('approval: rejected'))
    await withRuntime(async ({ run }) => expect(lastText(await run('s', 'approve'))).toBe('approval: not asked'), {})
  })

  test('shutdown denies what is pending, and the late answer goes nowhere', async () => {
    await withRuntime(async (connection) => {
      const { runtime, notifications } = connection
      const asked = Promise.withResolvers<void>()
      const answer = Promise.withResolvers<ApprovalRequestResult>()
      runtime.serve({
        'approval/request': () => {
          asked.resolve()
          return answer.promise
        },
      })
      await runtime.request('session/prompt', { sessionId: 's', contentBlocks: promptInput('approve') })
      await asked.promise
      expect(await runtime.request('shutdown')).toEqual({})
      const events = notifications.map(({ params }) => params.event).filter((event) => event !== undefined)
      expect(lastText(events as never)).toBe('approval: rejected')
      answer.resolve({ outcome: 'allowed-once' })
      await turn()
      await connection.endInput()
      expect(await connection.exited).toBe(0)
      expect(connection.stderr()).toContain('a late answer was dropped')
    })
  })

  test('a client that disconnects denies', async () => {
    await withRuntime(async (connection) => {
      const asked = Promise.withResolvers<void>()
      connection.runtime.serve({
        'approval/request': () => {
          asked.resolve()
          return new Promise<never>(() => {})
        },
      })
      const seen: string[] = []
      connection.runtime.listen({
        'session.event': ({ event }) => void seen.push(lastText([event]) ?? event.type),
      })
      await connection.runtime.request('session/prompt', { sessionId: 's', contentBlocks: promptInput('approve') })
      await asked.promise
      await connection.endInput()
      expect(await connection.exited).toBe(0)
      expect(seen).toContain('approval: rejected')
    })
  })

  test('a request that the runtime gives up is denied, and its late answer dropped', async () => {
    await withRuntime(async (connection) => {
      connection.runtime.serve({ 'approval/request': () => ({ outcome: 'allowed-once' }) })
      expect(lastText(await connection.run('s', 'approve, give up'))).toBe('approval: rejected')
      await connection.endInput()
      await connection.exited
      expect(connection.stderr()).toContain('a late answer was dropped')
    })
  })
})

describe('user-question/ask', () => {
  const answers: [string, () => unknown, string][] = [
    ['an answer', () => ({ answers: [{ id: 'q', selected: ['red'] }] }), '[{"id":"q","selected":["red"]}]'],
    ['that it was closed', () => ({ cancelled: true }), 'ASK_CANCELLED'],
    ['an answer to another question', () => ({ answers: [{ id: 'x', selected: [] }] }), 'BAD_ANSWER'],
    ['no answer', () => ({ answers: [] }), 'BAD_ANSWER'],
    ['an error', () => Promise.reject(new Error('no')), 'PROVIDER_ERROR'],
  ]
  test.each(answers)('answered with %s', async (_name, answer, outcome) => {
    await withRuntime(async ({ runtime, run }) => {
      runtime.serve({ 'user-question/ask': () => answer() as SdkUserQuestionResult })
      expect(lastText(await run('s', 'ask'))).toBe(outcome)
    })
  })

  test('is not asked without the capability', async () => {
    await withRuntime(async ({ run }) => expect(lastText(await run('s', 'ask'))).toBe('NO_PROVIDER'), {})
  })

  test('the runtime cancels it: the host is told which, and its late answer is ignored', async () => {
    await withRuntime(async (connection) => {
      const { runtime, run } = connection
      let requestId: string | undefined
      const answer = Promise.withResolvers<SdkUserQuestionResult>()
      runtime.serve({
        'user-question/ask': (request) => {
          requestId = request.requestId
          return answer.promise
        },
      })
      expect(lastText(await run('s', 'ask, give up'))).toBe('the question was given up')
      const cancelled = connection.notifications.find(({ method }) => method === 'user-question.cancelled')
      expect(cancelled?.params).toEqual({ requestId, sessionId: 's' })
      answer.resolve({ answers: [{ id: 'q', selected: ['blue'] }] })
      expect(lastText(await run('s', 'still here'))).toBe('still here')
      await connection.endInput()
      await connection.exited
      expect(connection.stderr()).toContain('a late answer was dropped')
    })
  })
})
