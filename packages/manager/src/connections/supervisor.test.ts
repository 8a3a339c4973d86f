import { eventually, startOddHttp } from '@dsh-mcp/testkit'
import { describe, expect, test, vi } from 'vitest'
import { define, openScene, stdio, textOf, untilState } from './test-scene.ts'
import type { Session } from './session.ts'
import { Supervisor } from './supervisor.ts'
import { noAuthorization } from './authorization.ts'
import { createAttemptLog } from '../diagnostics/index.ts'

describe('retries', () => {
  /** A supervisor whose attempts end as `outcome` says; times are simulated. */
  function supervise(outcome: (attempt: number) => Promise<Session>) {
    let attempts = 0
    const definition = define('retry', { type: 'stdio', command: 'unused' })
    const supervisor = new Supervisor(definition, {
      log: createAttemptLog(),
      toolCallTimeoutMs: 1_000,
      authorization: () => noAuthorization,
      open: () => outcome(++attempts),
      onToolOk: () => undefined,
      forgetEra: () => undefined,
    })
    return { supervisor, attempts: () => attempts, definition }
  }
  const session = (): Session => ({
    transport: 'stdio',
    era: 'legacy',
    protocolVersion: '2025-11-25',
    reason: 'test',
    instructions: undefined,
    serverTitle: undefined,
    list: async () => ({ tools: [], quarantined: [] }),
    call: async () => ({ content: [] }),
    check: async () => undefined,
    onToolsChanged: undefined,
    onClosed: undefined,
    ending: 'the process ended',
    close: async () => undefined,
  })

  test('come after 3, 6, 12 … 60 s, and from 3 s again after a success', async () => {
    vi.useFakeTimers()
    try {
      let current: Session | undefined
      const failing = new Set([1, 2, 3, 4, 5, 6, 7, 9])
      const { supervisor, attempts } = supervise(async (attempt) => {
        if (failing.has(attempt)) throw new Error(`attempt ${attempt}`)
        current = session()
        return current
      })
      for (const [count, seconds] of [
        [1, 3],
        [2, 6],
        [3, 12],
        [4, 24],
        [5, 48],
        [6, 60],
        [7, 60],
      ] as const) {
        await vi.advanceTimersByTimeAsync(0)
        expect(attempts()).toBe(count)
        expect(supervisor.status).toMatchObject({
          state: 'error',
          reason: `attempt ${count}`,
          retryAt: Date.now() + seconds * 1000,
        })
        await vi.advanceTimersByTimeAsync(seconds * 1000 - 1)
        expect(attempts()).toBe(count)
        await vi.advanceTimersByTimeAsync(1)
      }
      expect(supervisor.status.state).toBe('connected')
      current!.onClosed!()
      expect(supervisor.status).toMatchObject({
        state: 'error',
        reason: 'the process ended',
        retryAt: Date.now() + 3000,
      })
      await vi.advanceTimersByTimeAsync(3000)
      expect(supervisor.status).toMatchObject({ state: 'error', reason: 'attempt 9', retryAt: Date.now() + 6000 })
      await supervisor.stop()
    } finally {
      vi.useRealTimers()
    }
  })

  test('wait until a connection whose tools cannot be listed is closed', async () => {
    vi.useFakeTimers()
    try {
      const close = vi.fn(async () => undefined)
      const list = () => Promise.reject(new Error('no list'))
      const { supervisor } = supervise(async () => ({ ...session(), list, close }))
      await vi.advanceTimersByTimeAsync(0)
      expect(supervisor.status).toMatchObject({ state: 'error', reason: expect.stringContaining('no list') })
      expect(close).toHaveBeenCalledOnce()
      await supervisor.stop()
    } finally {
      vi.useRealTimers()
    }
  })

  test.each(['disabled', 'edited', 'stopped'])('are cancelled when the server is %s', async (how) => {
    vi.useFakeTimers()
    try {
      const { supervisor, attempts } = supervise(async () => {
        throw new Error('no')
      })
      await vi.advanceTimersByTimeAsync(0)
      expect(attempts()).toBe(1)
      if (how === 'disabled') supervisor.replace(define('retry', { type: 'stdio', command: 'unused', enabled: false }))
      else if (how === 'edited') supervisor.replace(define('retry', { type: 'stdio', command: 'other' }))
      else await supervisor.stop()
      await vi.advanceTimersByTimeAsync(3_600_000)
      if (how === 'edited') expect(attempts()).toBeGreaterThan(2)
      else expect(attempts()).toBe(1)
      await supervisor.stop()
    } finally {
      vi.useRealTimers()
    }
  })

  test('the time of an old retry is not the time of an edited server', async () => {
    vi.useFakeTimers()
    try {
      const { supervisor, attempts } = supervise(async () => {
        throw new Error('no')
      })
      await vi.advanceTimersByTimeAsync(2_000)
      supervisor.replace(define('retry', { type: 'stdio', command: 'other' }))
      await vi.advanceTimersByTimeAsync(0)
      expect(attempts()).toBe(2)
      await vi.advanceTimersByTimeAsync(1_500)
      expect(attempts()).toBe(2)
      await supervisor.stop()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a sign of life', () => {
  test('is asked for after two minutes of silence, and an outage is shown without any call', async () => {
    const peer = await startOddHttp()
    await using scene = openScene()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const connection = await scene.start('silent', { type: 'http', url: peer.url, authMode: 'none' })
      await vi.advanceTimersByTimeAsync(120_000)
      await vi.waitUntil(() => peer.seen.includes('POST ping'))
      expect(connection.status.state).toBe('connected')
      await peer[Symbol.asyncDispose]()
      await vi.waitUntil(async () => {
        await vi.advanceTimersByTimeAsync(120_000)
        return connection.status.state !== 'connected'
      })
      expect(connection.tools).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('timeouts of calls', () => {
  test('the server’s own, else the row’s; clearing it takes effect at once and drops nothing', async () => {
    await using scene = openScene({ toolCallTimeoutMs: 1_000 })
    const connection = await scene.start('budget', { ...stdio(), timeout: 30_000 })
    const pid = await textOf(connection, 'pid')
    expect(await textOf(connection, 'sleep', { ms: 1_500 })).toBe('slept')
    scene.set.start(define('budget', stdio()))
    await untilState(connection, 'connected')
    await expect(connection.callTool('sleep', { ms: 10_000 })).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('1000 ms'),
    })
    expect(await textOf(connection, 'pid')).toBe(pid)
  })

  test('progress never lengthens a budget', async () => {
    await using scene = openScene()
    const connection = await scene.start('progress', { ...stdio(), timeout: 1_000 })
    await expect(connection.callTool('sleep', { ms: 8_000, progressMs: 100 })).rejects.toMatchObject({
      code: 'timeout',
    })
  })
})

describe('changed tools', () => {
  test('are listed again at most once more, however many notices come', async () => {
    await using scene = openScene()
    const connection = await scene.start('grow', stdio({ listMs: 50 }))
    const seen: number[] = []
    connection.subscribe((event) => {
      if (event.kind === 'tools') seen.push(connection.tools.length)
    })
    await connection.callTool('grow', { notices: 200 })
    await eventually('the new tool is there', () => connection.tools.length === 12)
    expect(seen).toEqual([12])
    expect(connection.status).toMatchObject({ toolCount: 12 })
    // one at the start, one under way when the other 199 notices came, one that follows
    await eventually('three lists', async () => (await textOf(connection, 'lists')) === '3')
    await connection.callTool('sleep', { ms: 200 })
    expect(await textOf(connection, 'lists')).toBe('3')
  })

  test('an equal list keeps the very same array', async () => {
    await using peer = await startOddHttp()
    await using scene = openScene()
    const connection = await scene.start('same', { type: 'http', url: peer.url, authMode: 'none' })
    const before = connection.tools
    peer.sessions.clear()
    await connection.callTool('echo', {})
    expect(connection.tools).toBe(before)
  })

  test('a bad one is put aside with its reason, the others work', async () => {
    await using scene = openScene()
    const tools = [
      { name: 'bad', inputSchema: null },
      { name: 'echo', inputSchema: { type: 'object' }, outputSchema: { $ref: 'http://127.0.0.1:1/x' } },
    ]
    const connection = await scene.start('bad', stdio({ tools }))
    expect(connection.tools.map((tool) => tool.name)).toEqual(['echo'])
    expect(connection.quarantined).toMatchObject([{ name: 'bad' }])
    expect(scene.log('bad')).toContain('put aside: bad: its inputSchema is null')
    expect(await textOf(connection, 'echo', { text: 'x' })).toBe('x')
  })
})

describe('pages', () => {
  test('of a list are all read', async () => {
    await using scene = openScene()
    const connection = await scene.start('many', stdio({ pages: 60 }))
    expect(connection.tools.map((tool) => tool.name)).toEqual(Array.from({ length: 60 }, (_, n) => `tool-${n}`))
  })

  test('that repeat end the list', async () => {
    await using scene = openScene()
    const connection = await scene.start('same', stdio({ pages: 'same' }))
    expect(connection.status.state).toBe('connected')
    expect(connection.tools.map((tool) => tool.name)).toEqual(['tool-0'])
    expect(connection.quarantined).toEqual([{ name: 'tool-0', reason: 'the server lists this name more than once' }])
  })

  test.each(['legacy', 'modern'])('without end: of a %s server what came is kept, and told', async (era) => {
    await using scene = openScene()
    const connection = await scene.start('endless', stdio({ pages: 'endless', modern: era === 'modern' }))
    expect(connection.status).toMatchObject({ state: 'connected', era, toolCount: 256 })
    expect(connection.tools.at(-1)).toMatchObject({ name: 'tool-255' })
    const reason = "the server's list has more than 256 pages; what comes after them is left out"
    expect(connection.quarantined).toEqual([{ name: 'tools/list', reason }])
    expect(scene.log('endless')).toContain(reason)
  })
})

test('a tool that runs as a task only is put aside where the server has tasks, and called plainly where it has none', async () => {
  await using scene = openScene()
  const tools = [
    { name: 'echo', inputSchema: {}, execution: { taskSupport: 'optional' } },
    { name: 'pid', inputSchema: {}, execution: { taskSupport: 'required' } },
  ]
  const tasks = { requests: { tools: { call: {} } } }
  const connection = await scene.start('tasks', stdio({ tools, capabilities: { tasks } }))
  expect(connection.tools.map((tool) => tool.name)).toEqual(['echo'])
  expect(connection.quarantined).toEqual([
    { name: 'pid', reason: 'it runs as a task only (MCP 2025-11-25, tasks), which is not supported here' },
  ])
  const plain = await scene.start('plain', stdio({ tools }))
  expect(plain.tools.map((tool) => tool.name)).toEqual(['echo', 'pid'])
  expect(await textOf(plain, 'pid')).toMatch(/^\d+$/)
})

test('the title a server gives itself is known while it is connected', async () => {
  await using scene = openScene()
  const connection = await scene.start('titled', stdio({ title: ' Weather desk ' }))
  expect(connection.serverTitle).toBe('Weather desk')
  expect((await scene.start('plain', stdio())).serverTitle).toBeUndefined()
})

test('first attempts are waited for, and no longer than asked', async () => {
  await using scene = openScene()
  scene.set.start(define('mute', stdio({ mute: true })))
  scene.set.start(define('good', stdio()))
  scene.set.start(define('off', { ...stdio(), enabled: false }))
  const started = performance.now()
  await scene.set.firstAttempts(1_500)
  expect(performance.now() - started).toBeGreaterThanOrEqual(1_490)
  await scene.set.stop('id-mute')
  await scene.set.firstAttempts(60_000)
  expect(scene.set.get('id-good')!.status.state).toBe('connected')
})

test('only a changed connection is opened anew', async () => {
  await using scene = openScene()
  const connection = await scene.start('same', { ...stdio(), disabledTools: ['a'] })
  const pid = await textOf(connection, 'pid')
  scene.set.start(define('same', { ...stdio(), oauth: { tokens: { access_token: 'x' } } }))
  expect(connection.status.state).toBe('connected')
  expect(await textOf(connection, 'pid')).toBe(pid)
})
