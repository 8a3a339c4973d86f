import { hostEnvironment, nodeBinary, temporaryHome } from '@dsh-mcp/testkit'
import { isSessionEvent, isUnknownMethod, promptInput } from '@dsh-mcp/sdk-protocol'
import { describe, expect, test } from 'vitest'
import { connect, lastText, type Connection } from './connect.ts'
import { publishedServer, swapTransport } from './programs.ts'

const route = { provider: 'scripted', model: 'scripted' }

async function withServer(args: readonly string[], use: (connection: Connection, home: string) => Promise<void>) {
  await using home = await temporaryHome()
  await using connection = connect(nodeBinary, args, hostEnvironment(home.path))
  await use(connection, home.path)
}

describe.each([
  ['the published server', [publishedServer, 'delegate']],
  ['the published server on this transport', [...swapTransport, publishedServer, 'delegate']],
])('our client against %s', (_name, args) => {
  test('handshake, prompts, failures of the model, subagents, shutdown', async () => {
    await withServer(args, async (connection, cwd) => {
      const { runtime, run, notifications } = connection
      expect(await runtime.request('initialize', { cwd, ...route })).toEqual({
        serverInfo: { name: 'deepseek-harness-sdk-runtime', version: '0.0.1' },
      })
      const swapped = connection.stderr().includes('transport under test imported by dsh-sdk-jsonrpc-server')
      expect(swapped).toBe(args.includes('--import'))
      expect(lastText(await run('a', 'say hello é😀汉'))).toBe('hello é😀汉')

      const failed = await run('a', 'fail BROKEN the model is away')
      expect(failed.find((event) => isSessionEvent(event, 'turn/end'))).toMatchObject({
        data: { reason: { kind: 'error', error: { message: expect.stringContaining('the model is away') } } },
      })
      const cut = await run('a', 'max-tokens')
      expect(cut.find((event) => isSessionEvent(event, 'turn/end'))).toMatchObject({
        data: { reason: { kind: 'max-tokens' } },
      })

      await run('b', 'call subagent {"description":"a child","prompt":"say from the child"}\nsay done')
      const family = notifications.filter(({ method }) => method.startsWith('subagent.'))
      expect(family.map(({ method }) => method)).toEqual(['subagent.started', 'subagent.finished'])
      expect(family[1]?.params).toMatchObject({
        parentSessionId: 'b',
        status: 'ok',
        stopReason: 'completed',
        lastAssistantMessage: [{ type: 'text', text: 'from the child' }],
      })
      const childId = family[0]?.params.childSessionId
      const firstOfChild = notifications.findIndex(({ params }) => params.sessionId === childId)
      expect(firstOfChild).toBeGreaterThan(notifications.findIndex(({ method }) => method === 'subagent.started'))

      expect(await runtime.request('shutdown')).toEqual({})
      expect(await connection.exited).toBe(0)
      await expect(runtime.request('shutdown')).rejects.toThrow(/JSON-RPC (input|output) closed/)
    })
  })

  test('the events of a prompt come before its answer', async () => {
    await withServer(args, async ({ runtime, notifications }, cwd) => {
      await runtime.request('initialize', { cwd, ...route })
      const contentBlocks = promptInput('say hello')
      const { messageId } = await runtime.request('session/prompt', { sessionId: 's', contentBlocks })
      const splice = notifications.find(({ method }) => method === 'session.event')
      expect(splice?.params.event).toMatchObject({
        type: 'agent/inbox/spliced',
        data: { inserted: [{ id: messageId, content: contentBlocks }] },
      })
    })
  })

  test('errors name what is wrong, an unknown method can be told, a long line goes through', async () => {
    await withServer(args, async ({ runtime, run }, cwd) => {
      await expect(runtime.request('initialize', { cwd, provider: 'nobody', model: 'm' })).rejects.toMatchObject({
        code: -32603,
        message: 'no adapter registered for provider "nobody"',
      })
      await expect(runtime.request('initialize', { cwd, ...route, maxTokens: 0 })).rejects.toMatchObject({
        code: -32603,
        message: 'initialize maxTokens must be a positive safe integer',
      })
      await runtime.request('initialize', { cwd, ...route })
      const query = runtime.request('session/query', { sessionId: 's', contentBlocks: promptInput('say x') })
      const refusal = await query.catch((error: unknown) => error)
      expect(isUnknownMethod(refusal, 'session/query')).toBe(true)
      const long = 'x汉'.repeat(400_000)
      expect(lastText(await run('long', `say ${long}`))).toBe(long)
    })
  })
})

test('a runtime that reads nothing and is gone at once harms nobody', async () => {
  await using connection = connect(nodeBinary, ['-e', 'process.stdin.destroy()'], process.env)
  const { transport } = connection
  const waiting = transport.request('initialize')
  const failure = waiting.catch((error: unknown) => error)
  for (let n = 0; n < 200; n++) {
    transport.notify('note', { text: 'x'.repeat(10_000) })
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await connection.exited).toBe(0)
  expect(await failure).toBeInstanceOf(Error)
  await expect(transport.request('later')).rejects.toThrow()
  await expect(transport.flush()).rejects.toThrow()
})

test('a runtime that dies takes its waiting requests with it', async () => {
  await withServer([publishedServer], async (connection, cwd) => {
    await connection.runtime.request('initialize', { cwd, ...route })
    const run = connection.run('s', 'hang')
    await connection.until(({ params }) => params.status === 'running')
    const shutdown = connection.runtime.request('shutdown')
    connection.kill()
    await expect(shutdown).rejects.toThrow(/JSON-RPC (input|output) closed|EPIPE/)
    await expect(run).rejects.toThrow(/the runtime ended first|closed/)
    expect(await connection.exited).toBe('SIGKILL')
  })
})
