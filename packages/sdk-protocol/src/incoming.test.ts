import { describe, expect, test, vi } from 'vitest'
import { JsonRpcResponseError } from './errors.ts'
import { rawWire, turn } from './raw-wire.fixture.ts'

describe('requests of the peer', () => {
  test('without a handler are answered -32601', async () => {
    const { transport, input, sent } = rawWire()
    transport.start()
    input.write('{"jsonrpc":"2.0","id":1,"method":"nope"}\n')
    expect(await sent(1)).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'method not found: nope' } },
    ])
  })

  test('are answered as they finish, not as they came, with their own ids', async () => {
    const { transport, input, sent } = rawWire()
    const slow = Promise.withResolvers<string>()
    transport.onRequest((method) => (method === 'slow' ? slow.promise : 'quick'))
    transport.start()
    input.write(
      '{"id":"a","method":"slow"}\n{"id":0,"method":"quick"}\n{"id":"","method":"quick"}\n{"id":1.5,"method":"q"}\n',
    )
    await sent(3)
    slow.resolve('late')
    const frames = await sent(4)
    expect(frames.map(({ id, result }) => [id, result])).toEqual([
      [0, 'quick'],
      ['', 'quick'],
      [1.5, 'quick'],
      ['a', 'late'],
    ])
  })

  test('a thenable that settles twice is answered once', async () => {
    const { transport, input, sent } = rawWire()
    // oxlint-disable-next-line unicorn/no-thenable
    const twice = { then: (resolve: (value: number) => void) => void [resolve(1), resolve(2)] }
    transport.onRequest((method) => (method === 'twice' ? twice : 'next'))
    transport.start()
    input.write('{"id":1,"method":"twice"}\n')
    await sent(1)
    input.write('{"id":2,"method":"next"}\n')
    expect((await sent(2)).map(({ id, result }) => [id, result])).toEqual([
      [1, 1],
      [2, 'next'],
    ])
  })

  test('with the same id are served and answered each', async () => {
    const { transport, input, sent } = rawWire()
    let calls = 0
    transport.onRequest(async () => ++calls)
    transport.start()
    input.write('{"id":1,"method":"m"}\n{"id":1,"method":"m"}\n')
    expect((await sent(2)).map(({ id, result }) => [id, result])).toEqual([
      [1, 1],
      [1, 2],
    ])
  })

  test('a handler without a result answers null', async () => {
    const { transport, input, sent } = rawWire()
    transport.onRequest(async () => undefined)
    transport.start()
    input.write('{"id":1,"method":"m"}\n')
    expect(await sent(1)).toEqual([{ jsonrpc: '2.0', id: 1, result: null }])
  })

  const throwing = (thrown: unknown) => (): never => {
    throw thrown
  }
  test.each([
    ['an Error', throwing(new Error('broken')), 'broken'],
    ['an Error, later', () => Promise.reject(new Error('broken')), 'broken'],
    ['a string', throwing('text'), 'text'],
    ['undefined', throwing(undefined), 'undefined'],
    ['an object that has no text', throwing(Object.create(null)), 'a value that cannot be shown was thrown'],
    ['an answer of another peer', throwing(new JsonRpcResponseError(-32001, 'theirs', 1)), 'theirs'],
  ])('a handler that throws %s answers -32603', async (_name, handler, message) => {
    const { transport, input, sent, diagnostics } = rawWire()
    transport.onRequest(handler)
    transport.start()
    input.write('{"id":1,"method":"m"}\n')
    expect(await sent(1)).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32603, message } }])
    expect(diagnostics).toMatchObject([{ kind: 'request-handler-failed', method: 'm', id: 1 }])
  })

  test('a result that cannot be serialised answers -32603', async () => {
    const { transport, input, sent } = rawWire()
    transport.onRequest(async () => ({ big: 1n }))
    transport.start()
    input.write('{"id":1,"method":"m"}\n')
    expect(await sent(1)).toMatchObject([{ id: 1, error: { code: -32603, message: expect.stringMatching(/BigInt/) } }])
  })

  test('preserveHandlerErrors answers with the code and data of a thrown JsonRpcResponseError, and of no other', async () => {
    const { transport, input, sent } = rawWire({ preserveHandlerErrors: true })
    transport.onRequest(async (method) => {
      if (method === 'own') throw new JsonRpcResponseError(-32001, 'own', { why: 1 })
      if (method === 'codeless') throw new JsonRpcResponseError(undefined, 'codeless')
      throw Object.assign(new Error('plain'), { code: 42, data: 'x' })
    })
    transport.start()
    for (const method of ['own', 'codeless', 'plain']) input.write(`{"id":"${method}","method":"${method}"}\n`)
    expect((await sent(3)).map(({ error }) => error)).toEqual([
      { code: -32001, message: 'own', data: { why: 1 } },
      { code: -32603, message: 'codeless' },
      { code: -32603, message: 'plain' },
    ])
  })

  test('a second handler takes the place of the first', async () => {
    const { transport, input, sent } = rawWire()
    transport.onRequest(() => 1)
    transport.onRequest(() => 2)
    transport.start()
    input.write('{"id":1,"method":"m"}\n')
    expect(await sent(1)).toMatchObject([{ result: 2 }])
  })
})

describe('notifications', () => {
  test('arrive in order with an object as params; null and boolean ids do not make requests', async () => {
    const { transport, receive, frames } = rawWire()
    const seen: unknown[] = []
    transport.onNotification((method, params) => seen.push([method, params]))
    transport.start()
    await receive('{"method":"a","params":{"x":1}}\n{"id":null,"method":"b","params":[1]}\n{"id":true,"method":"c"}\n')
    expect(seen).toEqual([
      ['a', { x: 1 }],
      ['b', {}],
      ['c', {}],
    ])
    expect(frames()).toEqual([])
  })

  test('a handler that throws, now or later, is reported and the next notification is delivered', async () => {
    const { transport, receive, diagnostics } = rawWire()
    const handler = vi.fn((method: string): unknown => {
      if (method === 'now') throw new Error('now')
      return method === 'later' ? Promise.reject(new Error('later')) : undefined
    })
    transport.onNotification(handler)
    transport.start()
    await receive('{"method":"now"}\n{"method":"later"}\n{"method":"fine"}\n')
    expect(handler.mock.calls.map(([method]) => method)).toEqual(['now', 'later', 'fine'])
    expect(diagnostics).toMatchObject([
      { kind: 'notification-handler-failed', method: 'now', error: { message: 'now' } },
      { kind: 'notification-handler-failed', method: 'later', error: { message: 'later' } },
    ])
  })

  test('without a handler are dropped', async () => {
    const { transport, receive, diagnostics, frames } = rawWire()
    transport.start()
    await receive('{"method":"a"}\n')
    expect(diagnostics).toEqual([{ kind: 'unhandled-notification', method: 'a' }])
    expect(frames()).toEqual([])
  })

  test('leave without params when there are none', async () => {
    const { transport, sent } = rawWire()
    transport.notify('a')
    transport.notify('b', { x: 1 })
    expect(await sent(2)).toEqual([
      { jsonrpc: '2.0', method: 'a' },
      { jsonrpc: '2.0', method: 'b', params: { x: 1 } },
    ])
  })
})

describe('lines', () => {
  test('malformed ones, batches and scalars get no answer and do not disturb the next', async () => {
    const { transport, receive, frames, diagnostics } = rawWire()
    const seen: string[] = []
    transport.onNotification((method) => seen.push(method))
    transport.onRequest(() => 'never')
    transport.start()
    await receive('{"id":1,"method":\n[{"id":1,"method":"m"}]\nnull\n12\n[]\n{}\n\u0000\n{"method":"fine"}\n')
    expect(seen).toEqual(['fine'])
    expect(frames()).toEqual([])
    expect(diagnostics.map(({ kind }) => kind)).toEqual([
      'malformed-line',
      ...Array<string>(5).fill('not-a-frame'),
      'malformed-line',
    ])
  })

  test('CRLF, blank lines, a byte order mark and other white space around a frame are forgiven', async () => {
    const { transport, receive, diagnostics } = rawWire()
    const seen: string[] = []
    transport.onNotification((method) => seen.push(method))
    transport.start()
    await receive('\ufeff{"method":"a"}\r\n\r\n  \n\t{"method":"b"} \n\u00a0{"method":"c"}\u2028\n')
    expect(seen).toEqual(['a', 'b', 'c'])
    expect(diagnostics).toEqual([])
  })

  test('an input with an encoding gives text chunks, which are read alike', async () => {
    const { transport, input, receive } = rawWire()
    const seen: unknown[] = []
    transport.onNotification((_method, params) => seen.push(params))
    input.setEncoding('utf8')
    transport.start()
    for (const byte of Buffer.from('{"method":"a","params":{"t":"é😀汉"}}\n')) await receive(Uint8Array.of(byte))
    expect(seen).toEqual([{ t: 'é😀汉' }])
  })

  test('what arrived before start() is handled after it', async () => {
    const { transport, receive } = rawWire()
    const seen: string[] = []
    transport.onNotification((method) => seen.push(method))
    await receive('{"method":"early"}\n')
    expect(seen).toEqual([])
    transport.start()
    await turn()
    expect(seen).toEqual(['early'])
  })

  test('beyond the limit: the connection lives, the peer is answered, a waiting request rejects', async () => {
    const { transport, input, sent, receive, diagnostics } = rawWire({ maxLineBytes: 1000 })
    const seen: string[] = []
    transport.onNotification((method) => seen.push(method))
    transport.onRequest((_method) => 'fine')
    transport.start()
    const waiting = transport.request('m')
    const [{ id }] = (await sent(1)) as [{ id: string }]
    const long = 'x'.repeat(2000)
    input.write(`{"id":"${id}","result":"${long}"}\n`)
    await expect(waiting).rejects.toMatchObject({
      code: 'answer-too-long',
      message: expect.stringMatching(/limit of 1000 bytes/),
    })
    await receive(`{"jsonrpc":"2.0","id":5,"method":"big","params":{"t":"${long}"}}\n{"method":"${long}"}\n`)
    await receive('{"id":6,"method":"small"}\n{"method":"note"}\n')
    const frames = await sent(3)
    expect(frames[1]).toMatchObject({
      id: 5,
      error: { code: -32603, message: expect.stringMatching(/limit of 1000 bytes/) },
    })
    expect(frames[2]).toMatchObject({ id: 6, result: 'fine' })
    expect(seen).toEqual(['note'])
    expect(diagnostics).toMatchObject([
      { kind: 'line-too-long', limitBytes: 1000, id },
      { kind: 'line-too-long', id: 5, method: 'big' },
      { kind: 'line-too-long' },
    ])
  })
})
