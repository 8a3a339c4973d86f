import { PassThrough, Readable, Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { rawWire, turn } from './raw-wire.fixture.ts'
import { JsonRpcLineTransport } from './transport.ts'

const listenersOf = (stream: NodeJS.EventEmitter): number =>
  stream.eventNames().reduce((sum, name) => sum + stream.listenerCount(name), 0)

describe('start and close', () => {
  test('start() twice reads each frame once', async () => {
    const { transport, receive } = rawWire()
    const seen: string[] = []
    transport.onNotification((method) => seen.push(method))
    transport.start()
    transport.start()
    await receive('{"method":"a"}\n')
    expect(seen).toEqual(['a'])
  })

  test('close() rejects what waits, sends what was written, takes its listeners off and leaves the streams alive', async () => {
    const input = new PassThrough()
    const output = new PassThrough()
    const before = [listenersOf(input), listenersOf(output)]
    const transport = new JsonRpcLineTransport(input, output)
    transport.start()
    const waiting = transport.request('m')
    transport.notify('last', { n: 1 })
    transport.notify('last', { n: 2 })
    transport.close()
    transport.close()
    await expect(waiting).rejects.toMatchObject({ code: 'closed', message: 'JSON-RPC transport closed' })
    expect(String(output.read()).split('\n')).toHaveLength(4)
    await turn()
    expect([listenersOf(input), listenersOf(output)]).toEqual(before)
    expect([input.destroyed, output.destroyed, output.writableEnded]).toEqual([false, false, false])
  })

  test('close() before start() and inside of a rejection is safe; start() afterwards throws', async () => {
    const { transport } = rawWire()
    const waiting = transport.request('m').catch(() => transport.close())
    transport.close()
    await waiting
    expect(() => transport.start()).toThrow('JSON-RPC transport closed')
  })

  test('close() inside of a handler stops at once, also in the middle of a chunk', async () => {
    const { transport, receive, frames, diagnostics } = rawWire()
    const seen: string[] = []
    transport.onNotification((method) => {
      seen.push(method)
      transport.close()
    })
    transport.onRequest(() => 'never')
    transport.start()
    await receive('{"method":"a"}\n{"method":"b"}\n{"id":1,"method":"c"}\n')
    await receive('{"method":"d"}\n')
    expect(seen).toEqual(['a'])
    expect(frames()).toEqual([])
    expect(diagnostics).toEqual([])
  })

  test('after close() a request rejects at once, a notification and a late answer go nowhere, and nothing is written', async () => {
    const { transport, receive, frames, diagnostics } = rawWire()
    const slow = Promise.withResolvers<string>()
    transport.onRequest(() => slow.promise)
    transport.start()
    await receive('{"id":1,"method":"slow"}\n')
    transport.close()
    await expect(transport.request('m')).rejects.toMatchObject({ code: 'closed' })
    transport.notify('teardown')
    slow.resolve('late')
    await turn()
    expect(frames()).toEqual([])
    expect(diagnostics).toEqual([
      { kind: 'frame-not-sent', frame: 'notification', method: 'teardown' },
      { kind: 'frame-not-sent', frame: 'answer', method: 'slow' },
    ])
  })

  test('onEnd is told once, whatever ends first, also when it is set afterwards', async () => {
    const { transport, input } = rawWire()
    const reasons: string[] = []
    transport.onEnd((reason) => reasons.push(reason.message))
    transport.start()
    input.end()
    await turn()
    transport.close()
    transport.onEnd((reason) => reasons.push(`again: ${reason.message}`))
    await turn()
    expect(reasons).toEqual(['JSON-RPC input closed', 'again: JSON-RPC input closed'])
  })
})

describe('the end of the input', () => {
  test('rejects what waits and every later request', async () => {
    const { transport, input } = rawWire()
    transport.start()
    const waiting = transport.request('m')
    input.end()
    await expect(waiting).rejects.toMatchObject({ code: 'input-closed', message: 'JSON-RPC input closed' })
    await expect(transport.request('m')).rejects.toMatchObject({ code: 'input-closed' })
  })

  test('a last line without a newline is handled before', async () => {
    const { transport, input, sent } = rawWire()
    transport.onRequest(() => 'served')
    transport.start()
    const waiting = transport.request('m')
    const [{ id }] = (await sent(1)) as [{ id: string }]
    input.end(`{"id":1,"method":"x"}\n{"id":"${id}","result":"last"}`)
    await expect(waiting).resolves.toBe('last')
    expect(await sent(2)).toMatchObject([{}, { id: 1, result: 'served' }])
  })

  test('answers of requests that are still being served leave afterwards', async () => {
    const { transport, input, sent } = rawWire()
    const slow = Promise.withResolvers<string>()
    transport.onRequest(() => slow.promise)
    transport.start()
    input.end('{"id":1,"method":"slow"}\n')
    await turn()
    slow.resolve('late')
    expect(await sent(1)).toMatchObject([{ id: 1, result: 'late' }])
  })

  test('an error is what waiting and later requests reject with', async () => {
    const { transport, input, diagnostics } = rawWire()
    transport.start()
    const waiting = transport.request('m')
    const error = new Error('read failed')
    input.destroy(error)
    await expect(waiting).rejects.toBe(error)
    await expect(transport.request('m')).rejects.toBe(error)
    expect(diagnostics).toEqual([{ kind: 'stream-error', stream: 'input', error }])
  })

  test('destroyed without an error, it rejects too', async () => {
    const { transport, input } = rawWire()
    transport.start()
    const waiting = transport.request('m')
    input.destroy()
    await expect(waiting).rejects.toMatchObject({ code: 'input-closed' })
  })

  test.each([
    ['ended', async (input: PassThrough) => void input.resume().end()],
    ['destroyed', async (input: PassThrough) => void input.destroy()],
  ])('that was %s before start() is noticed by start()', async (_name, finish) => {
    const { transport, input } = rawWire()
    await finish(input)
    await turn()
    const waiting = transport.request('m')
    transport.start()
    await expect(waiting).rejects.toMatchObject({ code: 'input-closed' })
  })
})

describe('a dead output', () => {
  test.each([
    ['destroyed', (output: PassThrough) => void output.destroy()],
    ['destroyed with an error', (output: PassThrough) => void output.destroy(new Error('EPIPE'))],
    ['ended', (output: PassThrough) => void output.end()],
  ])('%s: what waits rejects, later requests reject at once, nothing throws', async (_name, kill) => {
    const { transport, output } = rawWire()
    transport.start()
    const waiting = transport.request('m')
    await turn()
    kill(output)
    await expect(transport.request('m')).rejects.toThrow()
    await expect(waiting).rejects.toThrow(/EPIPE|JSON-RPC output closed/)
    await expect(transport.request('m')).rejects.toThrow(/EPIPE|JSON-RPC output closed/)
    await expect(transport.flush()).rejects.toThrow()
    await expect(transport.drained()).resolves.toBeUndefined()
    transport.notify('m')
    transport.close()
  })

  test('an answer that is still on its way is delivered although the output died first', async () => {
    const { transport, output, input, sent } = rawWire()
    transport.start()
    const waiting = transport.request('shutdown')
    const [{ id }] = (await sent(1)) as [{ id: string }]
    output.destroy(new Error('EPIPE'))
    await turn()
    input.write(`{"id":"${id}",`)
    await turn()
    input.end('"result":{}}\n')
    await expect(waiting).resolves.toEqual({})
  })

  test('an output whose write throws rejects the request instead', async () => {
    const { input } = rawWire()
    const output = new PassThrough()
    output.write = () => {
      throw new Error('no write')
    }
    const transport = new JsonRpcLineTransport(input, output)
    await expect(transport.request('m')).rejects.toThrow('no write')
  })

  test('an error that comes after close() kills nobody', async () => {
    const callbacks: ((error: Error) => void)[] = []
    const output = new Writable({ write: (_chunk, _encoding, callback) => void callbacks.push(callback) })
    const transport = new JsonRpcLineTransport(new PassThrough(), output)
    transport.start()
    transport.notify('m')
    transport.close()
    callbacks[0]!(new Error('EPIPE'))
    await turn()
    await turn()
    expect(output.destroyed).toBe(true)
    expect(output.listenerCount('error')).toBe(0)
  })
})

describe('giving up', () => {
  test('a signal that is aborted already sends nothing', async () => {
    const { transport, frames } = rawWire()
    const reason = new Error('changed my mind')
    await expect(transport.request('m', {}, AbortSignal.abort(reason))).rejects.toBe(reason)
    await turn()
    expect(frames()).toEqual([])
  })

  test.each([
    ['its error', new Error('stop'), { message: 'stop' }],
    ['text', 'stop', { code: 'aborted', message: 'JSON-RPC request aborted: stop' }],
    ['nothing', undefined, { name: 'AbortError' }],
  ])(
    'an abort with %s rejects, tells the peer nothing, and a late answer is dropped',
    async (_name, reason, expected) => {
      const { transport, sent, receive, frames, diagnostics } = rawWire()
      transport.start()
      const controller = new AbortController()
      const waiting = transport.request('m', {}, { signal: controller.signal })
      const [{ id }] = (await sent(1)) as [{ id: string }]
      controller.abort(reason)
      await expect(waiting).rejects.toMatchObject(expected)
      expect(transport.pendingRequests).toBe(0)
      await receive(`{"id":"${id}","result":1}\n`)
      expect(diagnostics).toEqual([{ kind: 'unexpected-response', id }])
      expect(frames()).toHaveLength(1)
    },
  )

  test('the time limit of a request rejects it by name', async () => {
    const { transport } = rawWire()
    transport.start()
    await expect(transport.request('session/wait', {}, { timeoutMs: 5 })).rejects.toMatchObject({
      code: 'timeout',
      message: 'no answer to session/wait within 5 ms',
    })
    expect(transport.pendingRequests).toBe(0)
  })

  test('settled requests leave no listener on their signal', async () => {
    const { transport, input, sent } = rawWire()
    transport.start()
    const counts = { added: 0, removed: 0 }
    const { signal } = new AbortController()
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      counts.added++
      addEventListener.apply(signal, args)
    }
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      counts.removed++
      removeEventListener.apply(signal, args)
    }
    const answered = transport.request('m', {}, signal)
    const closed = transport.request('m', {}, { signal, timeoutMs: Infinity })
    const [{ id }] = (await sent(2)) as unknown as [{ id: string }]
    input.write(`{"id":"${id}","result":1}\n`)
    await answered
    transport.close()
    await expect(closed).rejects.toThrow()
    expect(counts).toEqual({ added: 2, removed: 2 })
  })

  test('more requests than may wait reject without being sent', async () => {
    const { transport, sent, frames } = rawWire({ maxPendingRequests: 2 })
    transport.start()
    const waiting = [transport.request('a'), transport.request('b')]
    await expect(transport.request('c')).rejects.toMatchObject({ code: 'too-many-pending' })
    await sent(2)
    expect(frames()).toHaveLength(2)
    transport.close()
    await Promise.allSettled(waiting)
  })

  test.each([[{ maxLineBytes: 0 }], [{ maxPendingRequests: Number.NaN }]])('%j is refused', (options) => {
    expect(() => new JsonRpcLineTransport(Readable.from([]), new PassThrough(), options)).toThrow(RangeError)
  })
})
